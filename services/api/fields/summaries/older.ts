// Deprecated parts of older summaries: an argument for buckets by time alone, and the time of a bucket beside its key.
import type { SummaryBucketSize } from "../../../../schemas/graphql/inputs.ts";
import type { Args } from "./summary-field.ts";

export interface OlderArgs extends Args {
  readonly bucket?: SummaryBucketSize | null;
}

/** Moves `bucket` into the argument that replaced it, unless that one is given. */
export function withBucket<A extends OlderArgs>(args: A, name: keyof A): A {
  const { bucket } = args;
  return args[name] == null && bucket != null ? { ...args, [name]: { size: bucket } } : args;
}

/** Returns the start of the bucket, or that of the range when the buckets are not by time. */
export const timeOf = ({ key }: { readonly key: { readonly time: number | null } }, { startTime }: Args): number =>
  key.time ?? startTime;
