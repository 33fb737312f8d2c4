// The list of all record kinds, by their topics.
import type { AvroSchema } from "../avro.ts";
import type { Flaw } from "../flaw.ts";
import type { EventOfKind } from "./define-record.ts";
import { deliveryEnded } from "./delivery-ended.ts";
import { imageStored } from "./image-stored.ts";
import { measurementRecorded } from "./measurement-recorded.ts";
import { videoChanged } from "./video-changed.ts";

export const recordTopics = {
  measurements: measurementRecorded,
  images: imageStored,
  videos: videoChanged,
  "webhook-deliveries": deliveryEnded,
};

export type RecordTopics = typeof recordTopics;

export type KindTopic = keyof RecordTopics;

export type RecordEvents = { [T in KindTopic as RecordTopics[T]["type"]]: EventOfKind<RecordTopics[T]> };

type RecordType = keyof RecordEvents;

/** A kind for code that handles every kind alike. */
interface AnyRecordKind {
  readonly type: RecordType;
  readonly event: { readonly schema: object };
  check?(event: never, latest: number): Flaw | undefined;
}

const kinds: readonly AnyRecordKind[] = Object.values(recordTopics);

// The cast is safe: each kind has one type.
export const recordSchemas = Object.fromEntries(kinds.map(({ type, event }) => [type, event.schema])) as {
  readonly [T in RecordType]: AvroSchema<RecordEvents[T]>;
};

const byType: ReadonlyMap<string, AnyRecordKind> = new Map(kinds.map((kind) => [kind.type, kind]));

/** Events of other kinds need no check here. `latest` is the last instant allowed. */
export const checkOfKind = (type: string, event: object, latest: number): Flaw | undefined =>
  // The cast is safe: the type names the kind of the event.
  byType.get(type)?.check?.(event as never, latest);
