// The root field of a summary, one implementation for all of them.
import { readFilter } from "../../../../projections/filters/read-filter.ts";
import type { Shown } from "../../../../projections/summaries/dimensions.ts";
import { highestTotals } from "../../../../projections/summaries/highest.ts";
import type { Bucket, Strategy, Summary, SummaryQuestion, Tally } from "../../../../projections/summaries/shape.ts";
import { checkRange } from "../../../../projections/summaries/sizes.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { durationText } from "../duration.ts";
import { type BucketInput, type RequestedGrouping, readGrouping, readGroups } from "./grouping.ts";

export interface SummaryDescription<Filter, D extends Shown> {
  /** Name of the argument for buckets. */
  readonly bucket: string;
  /** Dimensions by the names that callers use. */
  readonly dimensions: Readonly<Record<string, D>>;
  readonly summarize: (context: ApiContext, filter: Filter, question: SummaryQuestion<D>) => Promise<Summary>;
  readonly metadataKeys?: (
    context: ApiContext,
    filter: Filter,
    question: SummaryQuestion<D>,
    path: readonly string[],
  ) => Promise<readonly string[]>;
}

export interface Args {
  readonly startTime: number;
  readonly endTime: number;
  readonly filter?: object | null | undefined;
  readonly bucketingStrategy?: Strategy;
  readonly metadataKeysPath?: readonly string[] | null;
}

/** A filter without a member matches everything. */
const EVERYTHING = {};

/** Parses the arguments. Throws BAD_USER_INPUT. */
export function readQuestion<Filter extends object, D extends Shown>(
  { bucket, dimensions }: SummaryDescription<Filter, D>,
  args: Args,
  { maxBuckets, filterLimits }: ApiContext,
) {
  const { startTime: from, endTime: to, bucketingStrategy = "ACTIVE" } = args;
  const range = { from, to };
  checkRange(range);
  const input = bucketOf(args, bucket);
  const grouping = input == null ? undefined : readGrouping(dimensions, input, { range, maxBuckets }, [bucket]);
  // The cast is safe: GraphQL has checked the type of the argument.
  const filter = readFilter((args.filter ?? EVERYTHING) as Filter, filterLimits);
  return { filter, question: { range, strategy: input?.bucketingStrategy ?? bucketingStrategy, grouping, maxBuckets } };
}

export function summaryField<Filter extends object, D extends Shown>(description: SummaryDescription<Filter, D>) {
  return async (_root: unknown, args: Args, context: ApiContext) => {
    const { filter, question } = readQuestion(description, args, context);
    const summary = await description.summarize(context, filter, question);
    return {
      ...toAnswer(summary, question.grouping, context),
      metadataKeys: () => description.metadataKeys?.(context, filter, question, args.metadataKeysPath ?? []),
    };
  };
}

/** Some bucket inputs have an older member for the strategy. It has priority over the argument. */
type AnyBucketInput = BucketInput & { readonly bucketingStrategy?: Strategy | null };

const bucketOf = (args: object, name: string): AnyBucketInput | null | undefined => Reflect.get(args, name);

/** Lists are functions: graphql-js calls the selected ones, and only these are counted. */
export function toAnswer<D extends Shown>(
  { overall, buckets }: Summary,
  grouping: RequestedGrouping<D> | undefined,
  context: ApiContext,
) {
  const shown = (each: readonly Bucket[], dimensions: readonly Shown[]) =>
    context.budget.take(each).map((bucket) => ({ ...toTally(bucket.tally), key: toKey(bucket, dimensions, context) }));
  return {
    ...toTally(overall),
    buckets: () => (buckets === undefined || grouping === undefined ? null : shown(buckets, grouping.dimensions)),
    highestTotalBuckets({ groupBy }: { readonly groupBy?: BucketInput | null }) {
      if (buckets === undefined || grouping === undefined) return [];
      const groups = readGroups(grouping, groupBy);
      const places = groups?.dimensions ?? grouping.dimensions.keys();
      return shown(
        highestTotals(buckets, groups),
        [...places].flatMap((i) => grouping.dimensions[i] ?? []),
      );
    },
  };
}

const toTally = ({ total, started, ended, duration }: Tally) => ({
  total,
  startedCount: started,
  endedCount: ended,
  summaryStatistics: {
    duration: duration && {
      min: durationText(duration.min),
      average: durationText(duration.average),
      max: durationText(duration.max),
    },
  },
});

/** Missing members of the key are null. */
function toKey({ time, values }: Bucket, dimensions: readonly Shown[], { catalog }: ApiContext) {
  const key: Record<string, unknown> & Pick<Bucket, "time"> = { time };
  const metadata: object[] = [];
  for (const [i, { member, show, path }] of dimensions.entries()) {
    const value = values[i] ?? null;
    if (path !== undefined) metadata.push({ path, string: value });
    else key[member] = show === undefined || value === null ? value : show(value, catalog);
  }
  return metadata.length === 0 ? key : { ...key, metadata };
}
