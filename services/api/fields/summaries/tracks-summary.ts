// tracksSummary, with its older arguments and members: buckets by time alone, and counts by tag.
import { tag } from "../../../../projections/summaries/dimensions.ts";
import type { Bucket } from "../../../../projections/summaries/shape.ts";
import { tracksSummary as kind } from "../../../../projections/summaries/tracks.ts";
import type {
  FilterTagInput,
  FilterTracksSummaryInput,
  SummaryBucketSize,
} from "../../../../schemas/graphql/inputs.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { BucketInput } from "./grouping.ts";
import { ofHistory } from "./of-history.ts";
import { type Args, readQuestion, toAnswer } from "./summary-field.ts";

interface TracksArgs extends Args {
  readonly filter?: FilterTracksSummaryInput | null | undefined;
  readonly tags?: FilterTagInput | null;
  readonly bucket?: SummaryBucketSize | null;
  readonly tracksBucket?: BucketInput | null;
}

const description = ofHistory("tracksBucket", kind, ({ historyReached }) => historyReached());

export async function tracksSummary(_root: unknown, args: TracksArgs, context: ApiContext) {
  const { startTime, filter: given, tags, bucket, tracksBucket } = args;
  const asked = {
    ...args,
    filter: tags == null ? given : { ...given, tag: { and: [tags, ...(given?.tag == null ? [] : [given.tag])] } },
    tracksBucket: tracksBucket ?? (bucket == null ? null : { size: bucket }),
  };
  const { filter, question } = readQuestion(description, asked, context);
  const answer = toAnswer(await description.summarize(context, filter, question), question.grouping, context);

  async function countsByTag(sizeMs?: number) {
    const grouping = { sizeMs, dimensions: [tag] };
    const { buckets = [] } = await description.summarize(context, filter, { ...question, grouping });
    return Map.groupBy(context.budget.take(buckets), ({ time }) => time);
  }

  const isOlder = tracksBucket == null && given == null;
  let inBuckets: ReturnType<typeof countsByTag> | undefined;
  const counts = async (time: number | null) => {
    if (!isOlder) return [];
    inBuckets ??= countsByTag(question.grouping?.sizeMs);
    return toCounts((await inBuckets).get(time));
  };
  return {
    ...answer,
    totalsByTag: async () => (isOlder ? toCounts((await countsByTag()).get(null)) : []),
    buckets: () =>
      answer.buckets()?.map((each) => {
        const { time } = each.key;
        return { ...each, time: time ?? startTime, counts: () => counts(time) };
      }) ?? null,
  };
}

const toCounts = (buckets: readonly Bucket[] = []) =>
  buckets.map(({ values: [name], tally }) => ({ tag: name ?? "", count: tally.total }));
