// Folds records, each of which gives its subscribers one message, or none.
import type { Events, EventType, Typed } from "../../schemas/events.ts";
import { readChecked } from "../../schemas/read-message.ts";
import { topicOf } from "../../schemas/topics.ts";
import type { CreateFold, FeedFoldDeps, FeedMessage, LogPlace, TopicFold } from "./kind.ts";

export interface RecordFold<T extends EventType> {
  readonly type: T;
  /** Returns the id of a record. A repeated record has the same id; only the first one gives a message. */
  idOf(event: Events[T]): string;
  /** @returns undefined when the record gives subscribers no message. */
  toMessage(event: Events[T], place: LogPlace): FeedMessage | undefined;
}

/** Number of ids that are remembered. A client repeats a mutation soon or not at all. */
const REMEMBERED = 10_000;

export function foldRecords<T extends EventType>({ type, idOf, toMessage }: RecordFold<T>): CreateFold {
  const topic = topicOf(type);
  const isOfType = (message: { readonly type: EventType }): message is Typed<T> => message.type === type;
  return ({ codec, bounds }: FeedFoldDeps): TopicFold<Events[T]> => {
    const isFresh = createRecentIds(REMEMBERED);
    return {
      read({ value, timestamp }, partition) {
        const read = readChecked(codec, { topic, value, recordedAt: Number(timestamp), partition, bounds });
        return read.ok && isOfType(read.message) ? read.message.event : undefined;
      },
      fold(event, place) {
        const message = toMessage(event, place);
        return message !== undefined && isFresh(idOf(event)) ? [message] : [];
      },
    };
  };
}

/** Returns a function that records an id. It returns true when the id is not among the newest ones. */
function createRecentIds(most: number): (id: string) => boolean {
  const ids = new Set<string>();
  return (id) => {
    if (ids.has(id)) return false;
    ids.add(id);
    const [oldest] = ids;
    if (ids.size > most && oldest !== undefined) ids.delete(oldest);
    return true;
  };
}
