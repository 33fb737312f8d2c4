// Outputs of the fold: a list for each row of schemas/outputs.ts.
import { type OutputEvent, type OutputTopic, outputRow, outputTopics, perOutput } from "../../schemas/outputs.ts";

export interface Outputs {
  readonly lists: { readonly [T in OutputTopic]: OutputEvent<T>[] };
  /** Number of outputs in all lists. */
  count: number;
  /** Bytes of the outputs in all lists. Only members that may be long are counted. */
  bytes: number;
  /** Number of detections older than the last one of their track. */
  late: number;
  duplicates: number;
  /** Number of detections that showed that a track which had ended goes on. */
  reopened: number;
}

export const noOutputs = (): Outputs => ({
  lists: perOutput(() => []),
  count: 0,
  bytes: 0,
  late: 0,
  duplicates: 0,
  reopened: 0,
});

export function addOutput<T extends OutputTopic>(out: Outputs, topic: T, event: OutputEvent<T>): void {
  out.lists[topic].push(event);
  out.count++;
  out.bytes += outputRow(topic).bytes(event);
}

/**
 * Called when the caller has taken the outputs, perhaps in the middle of a message. The fold then appends further
 * outputs to the same object.
 */
export function emptyLists(out: Outputs): void {
  for (const topic of outputTopics) out.lists[topic].length = 0;
  out.count = 0;
  out.bytes = 0;
}
