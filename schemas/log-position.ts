import type { Topic } from "./topics.ts";

/** Where an event is in the log. `offset` is that of the message itself: a reader has passed it when its next one is greater. */
export interface LogPosition {
  readonly topic: Topic;
  readonly partition: number;
  readonly offset: number;
}
