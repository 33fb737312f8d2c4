// The subscriptions of record kinds (history/records/kinds.ts).
import { type KindTopic, recordTopics } from "../../schemas/records/kinds.ts";
import { matches } from "../filters/match.ts";
import type { AnyRecordFeed } from "../history/records/define-record-history.ts";
import { recordHistories } from "../history/records/kinds.ts";
import { foldRecords } from "./fold-records.ts";
import type { FeedKind, FeedMessage } from "./kind.ts";

interface RecordMessage extends FeedMessage {
  readonly shown: object;
}

export const recordFeeds: readonly FeedKind[] = Object.values(recordHistories).flatMap(({ topic, feed }) =>
  feed === undefined ? [] : [feedKindFor(topic, feed)],
);

function feedKindFor(topic: KindTopic, feed: AnyRecordFeed): FeedKind<RecordMessage, object> {
  return {
    field: feed.field,
    topic,
    createFold: foldRecords({
      type: recordTopics[topic].type,
      idOf: feed.idOf,
      toMessage: (event) => {
        const shown = feed.show(event);
        return shown === undefined ? undefined : messageOf(feed, shown);
      },
    }),
    // The cast is safe: the description has a field for each member of the filter.
    matches: (filter, { shown }) => matches(feed.filter, filter, shown as never),
    mergeKey: () => undefined,
    rootValue: ({ shown }) => shown,
  };
}

function messageOf({ field, dataSourceOf }: AnyRecordFeed, shown: object): RecordMessage {
  const message = { kind: field, index: 0, shown };
  return dataSourceOf === undefined ? message : { ...message, dataSourceId: dataSourceOf(shown) };
}
