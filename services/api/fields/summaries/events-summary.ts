// eventsSummary, with its older argument and member for buckets by time.
import { eventsSummaryKind as kind } from "../../../../projections/summaries/events.ts";
import type { ApiContext } from "../../graphql/context.ts";
import type { BucketInput } from "./grouping.ts";
import { ofHistory } from "./of-history.ts";
import { type OlderArgs, timeOf, withBucket } from "./older.ts";
import { summaryField } from "./summary-field.ts";

interface EventsArgs extends OlderArgs {
  readonly eventsBucket?: BucketInput | null;
}

const summarize = summaryField(ofHistory("eventsBucket", kind, ({ historyReached }) => historyReached("chronicles")));

export async function eventsSummary(root: unknown, args: EventsArgs, context: ApiContext) {
  const answer = await summarize(root, withBucket(args, "eventsBucket"), context);
  return {
    ...answer,
    buckets: () => answer.buckets()?.map((each) => ({ ...each, time: timeOf(each, args) })) ?? null,
  };
}
