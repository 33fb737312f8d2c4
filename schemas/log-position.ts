import type { Topic } from "./topics.ts";

/** Where an event is in the log. A reader has passed the message at `offset` when its own next offset is greater. */
export interface LogPosition {
  readonly topic: Topic;
  readonly partition: number;
  readonly offset: number;
}
