// What a caller asks for in a bucket argument, and in the `groupBy` of the highest totals.
import type { Groups } from "../../../../projections/summaries/highest.ts";
import type { Grouping, Range } from "../../../../projections/summaries/shape.ts";
import { readSize } from "../../../../projections/summaries/sizes.ts";
import { badInput } from "../../../../schemas/errors.ts";
import type { SummaryBucketSize } from "../../../../schemas/graphql/inputs.ts";

/** The members of all bucket inputs. */
export interface BucketInput {
  readonly size?: SummaryBucketSize | null;
  readonly fields?: readonly string[] | null;
}

export interface AskedGrouping<D> extends Grouping<D> {
  readonly size: SummaryBucketSize | null;
  /** Of the dimensions. */
  readonly names: readonly string[];
}

export type Path = readonly (string | number)[];

const MAX_FIELDS = 3;

/** Throws BAD_USER_INPUT. */
export function readGrouping<D>(
  dimensions: Readonly<Record<string, D>>,
  input: BucketInput,
  { range, maxBuckets }: { readonly range: Range; readonly maxBuckets: number },
  path: Path,
): AskedGrouping<D> {
  const size = input.size ?? null;
  const names = namesOf(input);
  if (names.length > MAX_FIELDS) throw badInput(`at most ${MAX_FIELDS} fields`, [...path, "fields"]);
  return {
    size,
    sizeMs: size === null ? undefined : readSize(size, range, maxBuckets, [...path, "size"]),
    names,
    dimensions: names.flatMap((name) => dimensions[name] ?? []),
  };
}

const namesOf = ({ fields }: BucketInput): string[] => [...new Set(fields)];

/** Throws BAD_USER_INPUT when the groups are finer than the buckets, or other ones. */
export function readGroups(
  { size, names }: AskedGrouping<unknown>,
  groupBy: BucketInput | null | undefined,
): Groups | undefined {
  if (groupBy == null) return undefined;
  if (groupBy.size != null && groupBy.size !== size) {
    throw badInput("the size must be that of the buckets", ["groupBy", "size"]);
  }
  const dimensions = namesOf(groupBy).map((name) => {
    const place = names.indexOf(name);
    if (place < 0) throw badInput(`the buckets are not by ${name}`, ["groupBy", "fields"]);
    return place;
  });
  return { isByTime: groupBy.size != null, dimensions };
}
