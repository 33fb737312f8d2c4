// How far a subscriber has come in a topic. Clients carry it as an opaque text: base64url of a JSON array.
import type { FeedMessage } from "../../../projections/feed/kind.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { Topic } from "../../../schemas/topics.ts";
import type { Entry } from "./recent.ts";

export interface Place {
  readonly topic: Topic;
  /** By partition: offset of the next message. */
  readonly next: readonly number[];
  /** The client has the first `skip` messages of the subscribed kind from the next log message of this partition. */
  readonly partition: number;
  readonly skip: number;
}

const MAX_LENGTH = 8_192;
const PATH = ["extensions", "cursor"];

export function formatCursor(topic: Topic, next: readonly number[], partition: number, skip: number): string {
  const within = skip > 0 ? `,${partition},${skip}` : "";
  return Buffer.from(`["${topic}",[${next.join(",")}]${within}]`).toString("base64url");
}

/** Throws BAD_USER_INPUT if the text is no cursor of this topic. */
export function parseCursor(text: unknown, topic: Topic): Place {
  const read = typeof text === "string" && text.length <= MAX_LENGTH ? parseJson(text) : undefined;
  if (!Array.isArray(read) || (read.length !== 2 && read.length !== 4)) throw malformed();
  const [name, next, partition = 0, skip = 0] = read;
  if (name !== topic || !Array.isArray(next) || next.length === 0) throw malformed();
  if (![...next, partition, skip].every((each) => Number.isSafeInteger(each) && each >= 0)) throw malformed();
  if (partition >= next.length) throw malformed();
  return { topic, next, partition, skip };
}

/** The place after a message of the entry; `next` are the offsets of the topic's partitions before the entry. */
export function cursorAfter(topic: Topic, next: readonly number[], entry: Entry, message: FeedMessage): string {
  const isLast = entry.messages.findLast(({ kind }) => kind === message.kind) === message;
  return isLast
    ? formatCursor(topic, next.with(entry.partition, entry.offset + 1), 0, 0)
    : formatCursor(topic, next.with(entry.partition, entry.offset), entry.partition, message.index + 1);
}

export const tooOld = () => badInput("the cursor is older than what the log keeps: what lies between is lost", PATH);
export const beyondLog = () => badInput("the cursor points beyond the end of the log: it is not one of this log", PATH);
const malformed = () => badInput("the cursor is not one of this subscription", PATH);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
