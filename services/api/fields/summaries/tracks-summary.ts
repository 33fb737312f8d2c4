// tracksSummary, with its older arguments and members: buckets by time alone, and counts by tag.
import { tagDimension } from "../../../../projections/summaries/dimensions.ts";
import type { Bucket } from "../../../../projections/summaries/shape.ts";
import { tracksSummaryKind as kind } from "../../../../projections/summaries/tracks.ts";
import type { FilterTagInput, FilterTracksSummaryInput } from "../../../../schemas/graphql/inputs.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { BucketInput } from "./grouping.ts";
import { ofHistory } from "./of-history.ts";
import { type OlderArgs, timeOf, withBucket } from "./older.ts";
import { readQuestion, toAnswer } from "./summary-field.ts";

interface TracksArgs extends OlderArgs {
  readonly filter?: FilterTracksSummaryInput | null | undefined;
  readonly tags?: FilterTagInput | null;
  readonly tracksBucket?: BucketInput | null;
}

const description = ofHistory("tracksBucket", kind, ({ historyReached }) => historyReached());

export async function tracksSummary(_root: unknown, args: TracksArgs, context: ApiContext) {
  const { filter: given, tags, tracksBucket } = args;
  const asked = {
    ...withBucket(args, "tracksBucket"),
    filter: tags == null ? given : { ...given, tag: { and: [tags, ...(given?.tag == null ? [] : [given.tag])] } },
  };
  const { filter, question } = readQuestion(description, asked, context);
  const answer = toAnswer(await description.summarize(context, filter, question), question.grouping, context);

  async function countsByTag(sizeMs?: number) {
    const grouping = { sizeMs, dimensions: [tagDimension] };
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
      answer.buckets()?.map((each) => ({ ...each, time: timeOf(each, args), counts: () => counts(each.key.time) })) ??
      null,
  };
}

const toCounts = (buckets: readonly Bucket[] = []) =>
  buckets.map(({ values: [name], tally }) => ({ tag: name ?? "", count: tally.total }));
