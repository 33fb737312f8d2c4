import avro from "avsc";
import { expect, test } from "vitest";
import { type Detection, type DetectionsRecorded, detectionsRecorded } from "../../../../schemas/log/detections.ts";
import { DetectionsReader } from "../../../../schemas/log/detections-reader.ts";
import { pick, type Random, seeded } from "../../../integration/history/world.ts";
import { chance } from "../../../support/random/any-values.ts";

const HEADER = Buffer.from([0, 0, 0, 0, 7]);
const type = avro.Type.forSchema(detectionsRecorded.schema as unknown as avro.Schema);

test("an event is read as avsc reads it, exotic values included", () => {
  const random = seeded(1);
  const reader = new DetectionsReader();

  for (let i = 0; i < 500; i++) {
    const event = anyEvent(random);
    const value = written(event);

    expect(copyOf(reader.read(value, HEADER.length))).toStrictEqual(readByAvsc(value));
  }
});

test("what avsc would refuse or read otherwise is left to it", () => {
  const random = seeded(2);
  const reader = new DetectionsReader();
  let read = 0;

  for (let i = 0; i < 5_000; i++) {
    const value = damaged(random, written(anyEvent(random)));
    const event = reader.read(value, HEADER.length);
    if (event === undefined) continue;
    read += 1;
    expect(copyOf(event)).toStrictEqual(readByAvsc(value));
  }

  expect(read).toBeGreaterThan(500);
});

test("an event of more detections than are kept is left to avsc", () => {
  const detections = Array.from({ length: 257 }, () => anyDetection(seeded(3)));

  expect(new DetectionsReader().read(written({ dataSourceId: "camera", detections }), HEADER.length)).toBeUndefined();
});

/** Within the memory of others, as the values of a batch are. */
function written(event: DetectionsRecorded): Buffer {
  const parts = [Buffer.from("before"), HEADER, type.toBuffer(event), Buffer.from("behind it")];
  const all = Buffer.concat(parts);
  return all.subarray(6, all.length - 9);
}

function damaged(random: Random, value: Buffer): Buffer {
  const at = HEADER.length + Math.floor(random() * (value.length - HEADER.length));
  if (chance(random, 0.2)) return value.subarray(0, at);
  value[at] = Math.floor(random() * 256);
  return value;
}

/** A copy has no classes, but -0 and NaN. */
const copyOf = (event: DetectionsRecorded | undefined): unknown => structuredClone(event);

const readByAvsc = (value: Buffer): unknown => copyOf(type.fromBuffer(value.subarray(HEADER.length)));

const anyEvent = (random: Random): DetectionsRecorded => ({
  dataSourceId: pick(random, TEXTS),
  detections: Array.from({ length: Math.floor(random() * 5) }, () => anyDetection(random)),
});

const anyDetection = (random: Random): Detection => ({
  trackId: chance(random, 0.2) ? pick(random, TEXTS) : `track ${Math.floor(random() * 20_000)}`,
  timestamp: pick(random, TIMES),
  polygon: orNull(random, {
    rings: Array.from({ length: Math.floor(random() * 4) }, () =>
      Array.from({ length: Math.floor(random() * 12) }, () => pick(random, NUMBERS)),
    ),
    crs: orNull(random, pick(random, TEXTS)),
  }),
  position: orNull(random, {
    longitude: pick(random, NUMBERS),
    latitude: pick(random, NUMBERS),
    altitude: orNull(random, pick(random, NUMBERS)),
    crs: orNull(random, pick(random, TEXTS)),
  }),
  direction: orNull(random, pick(random, NUMBERS)),
  metadata: orNull(random, pick(random, TEXTS)),
});

const orNull = <T>(random: Random, value: T): T | null => (chance(random, 0.5) ? value : null);

const NUMBERS = [
  0,
  -0,
  1,
  0.1 + 0.2,
  -1.5,
  5e-324,
  Number.MAX_VALUE,
  Number.NaN,
  Number.NEGATIVE_INFINITY,
  2 ** 53 + 2,
];

/** The years 0 and 9999 are the ends of the calendar. */
const TIMES = [-62_167_219_200_000, -1, 0, 1, 63, 64, 2 ** 31, -(2 ** 32), Date.UTC(2026, 0, 1), 253_402_300_799_999];

const TEXTS = [
  "",
  "a",
  "abc",
  "\u0000",
  "żółw 🐢",
  "3f1c9a52-58a1-4f0e-9f55-0a4d6c1b7e21",
  "x".repeat(40),
  "x".repeat(41),
  "ü".repeat(20),
  JSON.stringify({ text: "\n".repeat(3_000) }),
];
