// Messages that cannot be read, or make no sense: written straight to the camera-log, past the checks of the API.
import type { Codec } from "../../schemas/codec.ts";
import type { DeadLetter, Detection } from "../../schemas/events.ts";
import { topicName } from "../../schemas/topics.ts";
import type { Inspector } from "../support/clients/final-state-inspector.ts";
import { detection } from "../support/scenes/detection.ts";
import { SQUARE } from "../support/scenes/zone.ts";

export interface Bad {
  readonly value: Buffer | null;
  readonly reason: RegExp;
}

/** The position of a bad message in the camera-log, and the reason for which it must be among the dead letters. */
export interface SentBad {
  readonly partition: number;
  readonly offset: number;
  readonly reason: RegExp;
}

/**
 * Compares the dead letters with the sent messages.
 * @returns undefined when exactly the sent messages are dead letters, with their reasons, else the first difference.
 */
export async function deadLettersDiffer(inspector: Inspector, sent: readonly SentBad[]): Promise<string | undefined> {
  // After a crash a letter may be there twice, with the same id.
  const letters = new Map(
    (await deadLetters(inspector)).map((letter) => [`${letter.partition}/${letter.offset}`, letter]),
  );
  for (const { partition, offset, reason } of sent) {
    const letter = letters.get(`${partition}/${offset}`);
    if (letter === undefined) return `no dead letter for camera-log ${partition}/${offset}: ${reason}`;
    if (!reason.test(letter.reason)) return `camera-log ${partition}/${offset}: "${letter.reason}" is not ${reason}`;
  }
  const places = new Set(sent.map(({ partition, offset }) => `${partition}/${offset}`));
  for (const [place, { reason }] of letters) {
    if (!places.has(place)) return `camera-log ${place} was not sent to be refused, and is a dead letter: ${reason}`;
  }
  return undefined;
}

async function deadLetters({ read, codec, namespace }: Inspector): Promise<DeadLetter[]> {
  return (await read("dead-letters")).flatMap(({ message }) => {
    const decoded = codec.decode(message.value);
    if (!decoded.ok || decoded.type !== "DeadLetter") return [];
    return decoded.event.topic === topicName(namespace, "camera-log") ? [decoded.event] : [];
  });
}

/** The length of a list of 2^38 items. */
const ENDLESS = Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]);
const YEAR_10000_MS = 253_402_300_800_000;

/** Detections of a real track that would change every result if a reader accepted them. */
export function badMessages(codec: Codec, dataSourceId: string, trackId: string): Bad[] {
  const recorded = (changes: Partial<Detection>): Buffer => {
    const timestamp = Date.parse("2026-01-01T00:00:30.000Z");
    const detections = [detection({ trackId, timestamp, ...changes })];
    return codec.encode("DetectionsRecorded", { dataSourceId, detections });
  };
  const good = recorded({});
  const unknownSchema = Buffer.from(good);
  unknownSchema.writeUInt32BE(2_000_000_000, 1);
  const withoutList = codec.encode("DetectionsRecorded", { dataSourceId, detections: [] }).subarray(0, -1);
  const place = { longitude: 181, latitude: 0, altitude: null, crs: null };
  return [
    { value: Buffer.from("not Avro at all"), reason: /wire format/ },
    { value: null, reason: /wire format/ },
    { value: unknownSchema, reason: /unknown schema id 2000000000/ },
    { value: good.subarray(0, good.length - 3), reason: /not a DetectionsRecorded/ },
    { value: Buffer.concat([withoutList, ENDLESS]), reason: /longer than its message/ },
    { value: codec.encode("ZoneVersion", misplaced(dataSourceId)), reason: /ZoneVersion does not belong here/ },
    { value: recorded({ timestamp: Date.now() + 600_000 }), reason: /timestamp: too far in the future/ },
    { value: recorded({ timestamp: YEAR_10000_MS }), reason: /timestamp: outside the calendar/ },
    { value: recorded({ polygon: ring([0, 0, Number.NaN, 0, 10, 10, 0, 10, 0, 0]) }), reason: /not a finite number/ },
    { value: recorded({ polygon: ring(SQUARE.slice(0, 8)) }), reason: /not closed/ },
    { value: recorded({ position: place }), reason: /longitude/ },
    { value: recorded({ trackId: "" }), reason: /trackId/ },
    { value: recorded({ metadata: JSON.stringify("x".repeat(1024 * 1024)) }), reason: /metadata: more than/ },
  ];
}

const ring = (points: readonly number[]) => ({ rings: [[...points]], crs: null });

const misplaced = (dataSourceId: string) => ({
  zoneId: "stray",
  dataSourceId,
  zone: null,
  movedTo: null,
  refusal: null,
  partition: 0,
  offset: 0,
});
