// How far a subscriber has come in a topic. Clients carry it as an opaque text: base64url of a JSON array.
import type { FeedMessage } from "../../../projections/feed/kind.ts";
import { badInput } from "../../../schemas/errors.ts";
import type { Topic } from "../../../schemas/topics.ts";
import type { Entry } from "./recent.ts";

export interface Place {
  readonly topic: Topic;
  /** By partition: offset of the next message. */
  readonly next: readonly number[];
  readonly taken: Taken;
}

/** By partition: so many messages of the subscribed kind the client has of the next log message. Most have none. */
export type Taken = ReadonlyMap<number, number>;
export const NOTHING_TAKEN: Taken = new Map();

/** Room for some 10 000 partitions with offsets of 12 digits, and of each how much was taken. */
const MAX_LENGTH = 512 * 1024;
const PATH = ["extensions", "cursor"];

export function formatCursor({ topic, next, taken }: Place): string {
  let within = "";
  for (const [partition, count] of taken) within += `,${partition},${count}`;
  return Buffer.from(`["${topic}",[${next.join(",")}]${within}]`).toString("base64url");
}

/** Throws BAD_USER_INPUT if the text is no cursor of this topic. */
export function parseCursor(text: unknown, topic: Topic): Place {
  const read = typeof text === "string" && text.length <= MAX_LENGTH ? parseJson(text) : undefined;
  if (!Array.isArray(read) || read.length % 2 !== 0) throw malformed();
  const [name, next, ...within] = read;
  if (name !== topic || !Array.isArray(next) || next.length === 0) throw malformed();
  if (![...next, ...within].every((each) => Number.isSafeInteger(each) && each >= 0)) throw malformed();
  const taken = new Map<number, number>();
  for (let at = 0; at < within.length; at += 2) taken.set(within[at], within[at + 1]);
  if ([...taken.keys()].some((partition) => partition >= next.length)) throw malformed();
  return { topic, next, taken };
}

/** The place after a message of the entry, from the place before the entry. */
export function cursorAfter({ topic, next, taken }: Place, entry: Entry, message: FeedMessage): string {
  const { partition, offset, messages } = entry;
  const isLast = messages.findLast(({ kind }) => kind === message.kind) === message;
  if (isLast) return formatCursor({ topic, next: next.with(partition, offset + 1), taken: without(taken, partition) });
  const within = new Map(taken).set(partition, message.index + 1);
  return formatCursor({ topic, next: next.with(partition, offset), taken: within });
}

function without(taken: Taken, partition: number): Taken {
  if (!taken.has(partition)) return taken;
  const rest = new Map(taken);
  rest.delete(partition);
  return rest;
}

/** By partition, the lowest end that a log with this place can have. */
export const neededOf = ({ next, taken }: Pick<Place, "next" | "taken">): readonly number[] =>
  taken.size === 0 ? next : next.map((offset, partition) => ((taken.get(partition) ?? 0) > 0 ? offset + 1 : offset));

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
