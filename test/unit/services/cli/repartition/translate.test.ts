import { expect, test } from "vitest";
import type { Codec } from "../../../../../schemas/codec.ts";
import { COPIED_FROM, LOG_ID } from "../../../../../schemas/headers.ts";
import { partitionOfKey } from "../../../../../schemas/partition-of-key.ts";
import type { Topic } from "../../../../../schemas/topics.ts";
import { type Copied, type Copy, translate } from "../../../../../services/cli/repartition/translate.ts";

const COUNTS = { from: 2, to: 8 };
const CAMERA = "cam";
const OLD = partitionOfKey(CAMERA, COUNTS.from);
const NEW = partitionOfKey(CAMERA, COUNTS.to);
const SHIFT = 1_000;

/** Events are encoded as JSON. */
const codec: Codec = {
  encode: (type, event) => Buffer.from(JSON.stringify({ type, event })),
  loadSchemas: () => undefined,
  decode: (value) => {
    const read = JSON.parse(String(value));
    return read.type === undefined ? { ok: false, reason: "no event" } : { ok: true, ...read };
  },
};

/**
 * The copy of each message lies 1 000 further. Offsets below 10 are gone from the log, and those from 500 on are not
 * copied yet.
 */
const copied: Copied = {
  async find(_topic, { offset }) {
    if (offset >= 500) return "later";
    return offset < 10 ? undefined : { partition: NEW, offset: offset + SHIFT };
  },
  behind: async (_topic, _partition, original) => original + SHIFT,
};

const deps = { codec, copied, counts: COUNTS, from: "", to: "v2", logIds: { from: "old", to: "new" } };

async function copiesOf(topic: Topic, type: string | undefined, event: object, headers: Record<string, Buffer> = {}) {
  const value = Buffer.from(JSON.stringify({ type, event }));
  const message = { key: Buffer.from(CAMERA), value, headers, timestamp: "77", offset: "400", attributes: 0 };
  return await translate({ topic, partition: OLD, message }, deps);
}

const eventOf = (copies: readonly Copy[] | "later", at = 0) =>
  copies === "later" ? copies : JSON.parse(String(copies[at]?.value)).event;

test("key, value, headers and time stay; the partition is that of the key, and a header names the original", async () => {
  const event = { dataSourceId: CAMERA, detections: [] };
  const own = { own: Buffer.from("x") };

  const [copy] = await copiesOf("camera-log", "DetectionsRecorded", event, own);

  expect(copy).toEqual({
    partition: NEW,
    key: Buffer.from(CAMERA),
    value: Buffer.from(JSON.stringify({ type: "DetectionsRecorded", event })),
    headers: { ...own, [COPIED_FROM]: `${OLD}/400` },
    timestamp: "77",
  });
});

test("an unreadable message is copied as it is", async () => {
  expect(await copiesOf("camera-log", undefined, {})).toMatchObject([{ partition: NEW, timestamp: "77" }]);
});

test("an event about a whole partition goes to each of its parts, and names the copy of the change", async () => {
  const copies = await copiesOf("camera-log", "GeofencesAdvanced", { upTo: 20 });

  expect(copies).toHaveLength(COUNTS.to / COUNTS.from);
  expect(eventOf(copies, 2)).toEqual({ upTo: 20 + SHIFT });
});

test("an expiry names the position up to which its author would have read", async () => {
  const copies = await copiesOf("camera-log", "TrackExpired", { dataSourceId: CAMERA, readUpTo: 399 });

  expect(eventOf(copies)).toEqual({ dataSourceId: CAMERA, readUpTo: 399 + SHIFT });
});

const intersection = (offset: number) => ({ dataSourceId: CAMERA, cause: { partition: OLD, offset, index: 3 } });

test("an output names the copy of its cause, and belongs to the new log", async () => {
  const copies = await copiesOf("zone-intersections", "ZoneIntersectionChanged", intersection(100), {
    [LOG_ID]: Buffer.from("old"),
  });

  expect(eventOf(copies).cause).toEqual({ partition: NEW, offset: 1_100, index: 3 });
  expect(copies).toMatchObject([{ partition: NEW, headers: { [LOG_ID]: "new", ce_id: `${NEW}-1100-3` } }]);
});

test("an output of a dropped message stays behind, and a version of a zone comes along as one of another log", async () => {
  const version = { zoneId: "z", dataSourceId: CAMERA, zone: null, partition: OLD, offset: 5 };

  expect(await copiesOf("zone-intersections", "ZoneIntersectionChanged", intersection(5))).toEqual([]);
  expect(await copiesOf("zones", "ZoneVersion", version)).toMatchObject([
    { partition: 0, headers: { [LOG_ID]: "old" } },
  ]);
});

test("a message waits for the copy of the one that it names", async () => {
  const signal = {
    id: "s",
    subscriptionId: "sub",
    dataSourceId: CAMERA,
    cause: { topic: "camera-log", partition: OLD, offset: 600, index: 0 },
  };

  expect(await copiesOf("zone-intersections", "ZoneIntersectionChanged", intersection(600))).toBe("later");
  expect(await copiesOf("signals", "SignalRaised", signal)).toBe("later");
});

test("a signal keeps its id, and a dead letter gets the one of its copy", async () => {
  const signal = {
    id: "s",
    subscriptionId: "sub",
    dataSourceId: CAMERA,
    cause: { topic: "camera-log", partition: OLD, offset: 60, index: 0 },
  };
  const letter = { id: `camera-log/${OLD}/60`, topic: "camera-log", partition: OLD, offset: 60 };

  expect(eventOf(await copiesOf("signals", "SignalRaised", signal))).toMatchObject({
    id: "s",
    cause: { offset: 1_060 },
  });
  expect(eventOf(await copiesOf("dead-letters", "DeadLetter", letter))).toEqual({
    id: `v2.camera-log/${NEW}/1060`,
    topic: "v2.camera-log",
    partition: NEW,
    offset: 1_060,
  });
});
