// The position of a subscriber in a topic. Clients carry it as an opaque text: base64url of a JSON array.

import type { FeedMessage } from "../../../projections/feed/kind.ts";
import { badInput } from "../../../schemas/errors.ts";
import { jsonOf } from "../../../schemas/json.ts";
import type { Topic } from "../../../schemas/topics.ts";
import type { RecentMessage } from "./recent.ts";

export interface CursorPosition {
  readonly topic: Topic;
  /** Offset of the next message, by partition. */
  readonly next: readonly number[];
  readonly taken: MessagesTaken;
}

/**
 * The next log message may have given the client some of its messages of the subscribed kind already. Their number, by
 * partition; most partitions have none.
 */
export type MessagesTaken = ReadonlyMap<number, number>;
export const NOTHING_TAKEN: MessagesTaken = new Map();

/**
 * Maximum characters of a cursor. It fits some 10 000 partitions with offsets of 12 digits and their numbers of
 * messages taken.
 */
const MAX_LENGTH = 512 * 1024;
const PATH = ["extensions", "cursor"];

export function formatCursor({ topic, next, taken }: CursorPosition): string {
  let within = "";
  for (const [partition, count] of taken) within += `,${partition},${count}`;
  return Buffer.from(`["${topic}",[${next.join(",")}]${within}]`).toString("base64url");
}

/** Throws BAD_USER_INPUT if the text is no cursor of this topic. */
export function parseCursor(text: unknown, topic: Topic): CursorPosition {
  const read =
    typeof text === "string" && text.length <= MAX_LENGTH
      ? jsonOf(Buffer.from(text, "base64url").toString())
      : undefined;
  if (!Array.isArray(read) || read.length % 2 !== 0) throw malformed();
  const [name, next, ...within] = read;
  if (name !== topic || !Array.isArray(next) || next.length === 0) throw malformed();
  if (![...next, ...within].every((each) => Number.isSafeInteger(each) && each >= 0)) throw malformed();
  const taken = new Map<number, number>();
  for (let at = 0; at < within.length; at += 2) taken.set(within[at], within[at + 1]);
  if ([...taken.keys()].some((partition) => partition >= next.length)) throw malformed();
  return { topic, next, taken };
}

/** Returns the cursor after a message of the entry. The first argument is the position before the entry. */
export function cursorAfter(
  { topic, next, taken }: CursorPosition,
  entry: RecentMessage,
  message: FeedMessage,
): string {
  const { partition, offset, messages } = entry;
  const isLast = messages.findLast(({ kind }) => kind === message.kind) === message;
  if (isLast) return formatCursor({ topic, next: next.with(partition, offset + 1), taken: without(taken, partition) });
  const within = new Map(taken).set(partition, message.index + 1);
  return formatCursor({ topic, next: next.with(partition, offset), taken: within });
}

function without(taken: MessagesTaken, partition: number): MessagesTaken {
  if (!taken.has(partition)) return taken;
  const rest = new Map(taken);
  rest.delete(partition);
  return rest;
}

/** Returns, by partition, the lowest end offset that the log can have if it gave out this cursor. */
export const neededOf = ({ next, taken }: Pick<CursorPosition, "next" | "taken">): readonly number[] =>
  taken.size === 0 ? next : next.map((offset, partition) => ((taken.get(partition) ?? 0) > 0 ? offset + 1 : offset));

export const tooOld = () => badInput("the cursor is older than what the log keeps: what lies between is lost", PATH);
export const beyondLog = () => badInput("the cursor points beyond the end of the log: it is not one of this log", PATH);
const malformed = () => badInput("the cursor is not one of this subscription", PATH);
