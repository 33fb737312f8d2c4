// Decides whether a letter may be redriven, by its head and by the way in which the projector would treat its value
// now.
import type { EventBounds } from "../../../schemas/bounds.ts";
import type { Codec, DecodeFailure } from "../../../schemas/codec.ts";
import type { DeadLetter, EventType } from "../../../schemas/events.ts";
import { readChecked } from "../../../schemas/read-message.ts";
import type { Projected } from "../../../schemas/topics.ts";
import type { LetterHead } from "../../recorded/letters.ts";
import { timeText } from "./text.ts";

export interface Destinations {
  /** Topics by their name on the broker. */
  readonly topics: ReadonlyMap<string, Destination>;
}

export interface Destination {
  readonly topic: Projected;
  readonly partitions: number;
}

/**
 * Returns the reason against a redrive as one sentence without its full stop.
 * @returns undefined when there is none so far.
 */
export function redriveObstacle(head: LetterHead, destinations: Destinations, again: boolean): string | undefined {
  const { topic, partition, bytes, redriven } = head;
  if (redriven !== undefined && !again) {
    return `it was already redriven at ${timeText(redriven.redrivenAt)}, and --again is not given`;
  }
  const destination = destinations.topics.get(topic);
  if (destination === undefined) return `its topic ${topic} is none that the projector of this namespace reads`;
  if (!(partition >= 0 && partition < destination.partitions))
    return `its topic ${topic} has no partition ${partition}`;
  return bytes === null ? "its value is not in the letter: it was left in its topic, or there was none" : undefined;
}

export type Verdict = { readonly ok: true; readonly type: EventType } | DecodeFailure;

export interface DecideRedriveDeps {
  readonly codec: Codec;
  readonly destinations: Destinations;
  readonly bounds: EventBounds;
}

/** Reads the value in the same way as the projector would if it were recorded now. */
export async function decideRedrive(
  { topic, partition, value }: DeadLetter,
  deps: DecideRedriveDeps,
  nowMs: number,
): Promise<Verdict> {
  const { codec, destinations, bounds } = deps;
  await codec.loadSchemas([value]);
  const destination = destinations.topics.get(topic);
  if (destination === undefined) throw new Error(`${topic} is no destination`);
  const placed = { ...bounds, keyedPartitions: destination.partitions };
  const read = readChecked(codec, { topic: destination.topic, value, recordedAt: nowMs, partition, bounds: placed });
  if (!read.ok) return read;
  return read.leftOut === undefined ? { ok: true, type: read.message.type } : { ok: false, reason: read.leftOut };
}
