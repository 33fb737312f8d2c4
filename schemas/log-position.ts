import type { Topic } from "./topics.ts";

/**
 * The position of an event in the log. A reader has passed the message at `offset` when its own next offset is greater.
 */
export interface LogPosition {
  readonly topic: Topic;
  readonly partition: number;
  readonly offset: number;
}
