// A fold of records that are messages themselves: each gives its subscribers one, or nothing.
import type { Events, EventType, Typed } from "../../schemas/events.ts";
import { readChecked } from "../../schemas/read-message.ts";
import { topicOf } from "../../schemas/topics.ts";
import type { CreateFold, FeedMessage, FoldDeps, Place, TopicFold } from "./kind.ts";

export interface RecordFold<T extends EventType> {
  readonly type: T;
  /** Equal for the repetitions of a record: only the first gives a message. */
  idOf(event: Events[T]): string;
  /** undefined = the record is none that subscribers hear of. */
  toMessage(event: Events[T], place: Place): FeedMessage | undefined;
}

/** A client repeats a mutation soon or not at all. */
const REMEMBERED = 10_000;

export function foldRecords<T extends EventType>({ type, idOf, toMessage }: RecordFold<T>): CreateFold {
  const topic = topicOf(type);
  const isOfType = (message: { readonly type: EventType }): message is Typed<T> => message.type === type;
  return ({ codec, bounds }: FoldDeps): TopicFold<Events[T]> => {
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

/** Returns a function that says whether an id is none of the newest ones, and remembers it. */
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
