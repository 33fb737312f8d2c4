// Parses a bucket argument, and the `groupBy` of the highest totals.
import {
  metadataDimension,
  positionDimension,
  resolutionOf,
  type Shown,
} from "../../../../projections/summaries/dimensions.ts";
import type { Groups } from "../../../../projections/summaries/highest.ts";
import type { Grouping, Range } from "../../../../projections/summaries/shape.ts";
import { readSize } from "../../../../projections/summaries/sizes.ts";
import { badInput, type InputPath } from "../../../../schemas/errors.ts";
import type { PositionBucketPrecision, SummaryBucketSize } from "../../../../schemas/graphql/inputs.ts";

/** Members that all bucket inputs have. */
export interface BucketInput {
  readonly size?: SummaryBucketSize | null;
  readonly fields?: readonly string[] | null;
  readonly position?: PositionBucketPrecision | null;
  readonly metadata?: readonly { readonly path: readonly string[] }[] | null;
}

export interface RequestedGrouping<D> extends Grouping<D> {
  readonly size: SummaryBucketSize | null;
  /** Names of the dimensions. */
  readonly names: readonly string[];
}

const MAX_FIELDS = 3;
/** Maximum number of metadata paths. The public schema has no limit for them. */
const MAX_PATHS = 10;

/** Parses a bucket argument. Throws BAD_USER_INPUT when it is invalid. */
export function readGrouping<D extends Shown>(
  dimensions: Readonly<Record<string, D>>,
  input: BucketInput,
  { range, maxBuckets }: { readonly range: Range; readonly maxBuckets: number },
  path: InputPath,
): RequestedGrouping<D> {
  const size = input.size ?? null;
  const sizeMs = size === null ? undefined : readSize(size, range, maxBuckets, [...path, "size"]);
  if (new Set(input.fields).size > MAX_FIELDS) throw badInput(`at most ${MAX_FIELDS} fields`, [...path, "fields"]);
  if ((input.metadata?.length ?? 0) > MAX_PATHS) throw badInput(`at most ${MAX_PATHS} paths`, [...path, "metadata"]);
  const names = namesOf(input);
  return { size, sizeMs, names, dimensions: names.flatMap((name) => dimensions[name] ?? made(name)) };
}

/** Returns a name for each dimension; the name of a dimension that the caller defines contains its definition. */
function namesOf({ fields, position: precision, metadata: places }: BucketInput): string[] {
  return [
    ...new Set([
      ...(fields ?? []),
      ...(precision == null ? [] : [JSON.stringify(resolutionOf(precision))]),
      ...(places ?? []).map(({ path }) => JSON.stringify(path)),
    ]),
  ];
}

/**
 * Creates a dimension that the caller defines. The SDL offers it only to summaries of the history, whose dimensions
 * have this type.
 */
function made<D extends Shown>(name: string): D {
  const place: number | string[] = JSON.parse(name);
  return (typeof place === "number" ? positionDimension(place) : metadataDimension(place)) as Shown as D;
}

/** Throws BAD_USER_INPUT when the groups are finer than the buckets, or different ones. */
export function readGroups(
  { size, names }: RequestedGrouping<unknown>,
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
