import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { DeadLetter, Detection, ZoneIntersectionChanged } from "../../../schemas/events.ts";
import { records } from "../../../schemas/events.ts";
import type { Topic } from "../../../schemas/topics.ts";
import { loadConfig, registryEnv } from "../../../services/common/config.ts";
import { openRegistry } from "../../../services/common/registry/client.ts";
import { detection } from "../../support/scenes/detection.ts";
import { createInstallation, PARTITIONS } from "./installation.ts";

const { codec, letter, read, run, topic, variables, write } = await createInstallation();

/** A data source of each partition. */
const SOURCES = ["1", "a", "camera"];

const detectionsIn = (partition: number, ...list: Detection[]): Buffer =>
  codec.encode("DetectionsRecorded", { dataSourceId: SOURCES[partition] ?? "", detections: list });

/** In the partition that letters have by default. */
const detections = (...list: Detection[]): Buffer => detectionsIn(1, ...list);

const change: ZoneIntersectionChanged = {
  intersectionId: "i1",
  zoneId: "z1",
  trackId: "t1",
  dataSourceId: "camera",
  tag: "person",
  state: "START",
  startTime: 0,
  endTime: null,
  lastInside: 0,
  cause: { partition: 2, offset: 5, index: 0 },
};

const changed = codec.encode("ZoneIntersectionChanged", change);

const FIRST_MS = Date.UTC(2026, 0, 2);

/** The messages that the work added to the topic. */
async function written(name: Topic, work: () => Promise<unknown>) {
  const positions = async () =>
    (await read(name)).map(({ partition, message: { key, value, offset } }) => ({ partition, offset, key, value }));
  const before = new Set((await positions()).map(({ partition, offset }) => `${partition}/${offset}`));
  await work();
  const news = (await positions()).filter(({ partition, offset }) => !before.has(`${partition}/${offset}`));
  return news.map(({ partition, key, value }) => ({ partition, key, value }));
}

const bytesOf = ({ partition, key, value }: DeadLetter) => ({ partition, key, value });

const stateOf = async (id: string) =>
  (await run(["list", "--all", "--limit", "1000"])).lines.find((line) => line.startsWith(`${id}\t`))?.split("\t")[4];

test("a letter goes to its topic and partition byte for byte, once, and its state says so", async () => {
  const sound = letter({ partition: 2, value: detectionsIn(2, detection()) });
  await write([sound, sound]);
  const nowMs = Date.now();

  const news = await written("camera-log", async () => {
    const { done, lines } = await run(["redrive", sound.id, sound.id], nowMs);
    expect(done).toBe(true);
    expect(lines).toEqual([`${sound.id}  redriven as ${topic("camera-log")}/2/0`, "1 redriven, 0 not"]);
  });

  expect(news).toEqual([bytesOf(sound)]);
  expect(await stateOf(sound.id)).toBe(`redriven ${new Date(nowMs).toISOString()}`);
  expect((await run(["list"])).lines.join()).not.toContain(sound.id);
  const shown = (await run(["show", sound.id])).lines;
  expect(shown).toContain(`state      redriven ${new Date(nowMs).toISOString()} as ${topic("camera-log")}/2/0`);
});

test("a redriven letter is redriven again only when that is asked for", async () => {
  const sound = letter({ value: detections(detection()) });
  await write([sound]);
  await run(["redrive", sound.id], FIRST_MS);
  // After a crash the projector writes the same letter again, behind the record of its redrive.
  await write([sound]);

  const refused = await written("camera-log", async () => {
    const { done, lines } = await run(["redrive", sound.id]);
    expect(done).toBe(false);
    expect(lines[0]).toContain(`${sound.id}  not redriven: it was already redriven at 2026-01-02T00:00:00.000Z`);
    expect(lines[1]).toBe("0 redriven, 1 not");
  });
  const again = await written("camera-log", async () => {
    expect((await run(["redrive", "--again", sound.id], FIRST_MS + 1_000)).done).toBe(true);
  });

  expect(refused).toEqual([]);
  expect(again).toEqual([bytesOf(sound)]);
  expect(await stateOf(sound.id)).toBe("redriven 2026-01-02T00:00:01.000Z");
});

test.each([
  ["no key", null],
  ["a key that is no text", Buffer.from([0xff, 0x00, 0xc3, 0x28])],
  ["an empty key", Buffer.alloc(0)],
])("%s stays so", async (_, key) => {
  const sound = letter({ key, value: detections(detection()) });
  await write([sound]);

  expect(await written("camera-log", () => run(["redrive", sound.id]))).toEqual([bytesOf(sound)]);
});

test("a change of an intersection goes back to its own topic, anything else does not", async () => {
  const at = { topic: topic("zone-intersections"), partition: 2 };
  const sound = letter({ ...at, value: changed });
  const misplaced = letter({ ...at, value: detections(detection()) });
  await write([sound, misplaced]);

  const news = await written("zone-intersections", async () => {
    const { done, lines } = await run(["redrive", misplaced.id, sound.id]);
    expect(done).toBe(false);
    expect(lines).toContain(
      `${misplaced.id}  not redriven: it would come straight back (a DetectionsRecorded does not belong here)`,
    );
  });

  expect(news).toEqual([bytesOf(sound)]);
  expect(await stateOf(misplaced.id)).toBe("open");
});

test("what would come straight back is not written until its cause is gone", async () => {
  const nowMs = Date.now();
  const early = letter({ value: detections(detection({ timestamp: nowMs + 600_000 })) });
  await write([early]);

  const tooSoon = await written("camera-log", async () => {
    expect((await run(["redrive", early.id], nowMs)).lines).toEqual([
      `${early.id}  not redriven: it would come straight back (detections.0.timestamp: too far in the future)`,
      "0 redriven, 1 not",
    ]);
  });
  const later = await written("camera-log", () => run(["redrive", early.id], nowMs + 600_000));

  expect(tooSoon).toEqual([]);
  expect(later).toEqual([bytesOf(early)]);
});

test("a letter whose schema comes to the registry late can be redriven then", async () => {
  const registry = openRegistry(loadConfig(registryEnv, variables));
  const ended = { trackId: "t1", dataSourceId: SOURCES[1], endTime: 0, reason: "expired" };
  const grown = JSON.parse(JSON.stringify(records.TrackExpired));
  const unique = `by${randomUUID().replaceAll("-", "")}`;
  grown.fields.push({ name: unique, type: "string", default: "" });
  const subject = `late.${unique}`;
  const { id } = await registry.register(grown, { subject });
  const known = letter({ value: await registry.encode(id, { ...ended, [unique]: "x" }) });
  const value = Buffer.from(known.value ?? "");
  value.writeUInt32BE(2_000_000_000, 1);
  const unknown = letter({ value });
  await write([known, unknown]);

  const news = await written("camera-log", async () => {
    const { lines } = await run(["redrive", unknown.id, known.id]);
    expect(lines.find((line) => line.startsWith(`${unknown.id} `))).toContain("unknown schema id 2000000000");
  });

  expect(news).toEqual([bytesOf(known)]);
});

test("each refusal is told with its reason, and the others are redriven all the same", async () => {
  const tooLarge = letter({ value: Buffer.alloc(7 * 1024 * 1024 + 1) });
  const elsewhere = letter({ topic: topic("zones"), value: detections(detection()) });
  const otherNamespace = letter({ topic: "camera-log", value: detections(detection()) });
  const noPartition = letter({ partition: PARTITIONS, value: detections(detection()) });
  const garbage = letter();
  const sound = letter({ value: detections(detection()) });
  const all = [tooLarge, elsewhere, otherNamespace, noPartition, garbage, sound];
  await write(all);

  const news = await written("camera-log", async () => {
    const { done, lines } = await run(["redrive", "no/such/letter\u001b", ...all.map(({ id }) => id)]);
    expect(done).toBe(false);
    expect(lines).toEqual([
      "no/such/letter\\u001b  not redriven: there is no such letter",
      `${tooLarge.id}  not redriven: its value is not in the letter: it was left in its topic, or there was none`,
      `${elsewhere.id}  not redriven: its topic ${topic("zones")} is none that the projector of this namespace reads`,
      `${otherNamespace.id}  not redriven: its topic camera-log is none that the projector of this namespace reads`,
      `${noPartition.id}  not redriven: its topic ${topic("camera-log")} has no partition ${PARTITIONS}`,
      `${garbage.id}  not redriven: it would come straight back (not in the Confluent wire format)`,
      expect.stringContaining(`${sound.id}  redriven as ${topic("camera-log")}/1/`),
      "1 redriven, 6 not",
    ]);
  });

  expect(news).toEqual([bytesOf(sound)]);
});

test("--all redrives every open letter with that reason, in their order, large ones too", async () => {
  const reason = `recorded before ${randomUUID()}`;
  const vertices = Array.from({ length: 256 }, (_, i) => i);
  const ring = [...vertices.flatMap((i) => [i, i * i]), 0, 0].slice(2 * 3);
  const many = Array.from({ length: 1_575 }, (_, i) =>
    detection({ trackId: `t${i}`, polygon: { rings: [[0, 0, ...ring]], crs: null } }),
  );
  const small = Array.from({ length: 300 }, (_, i) =>
    letter({ reason, partition: i % PARTITIONS, value: detectionsIn(i % PARTITIONS, detection({ trackId: `t${i}` })) }),
  );
  const large = letter({ reason, partition: 0, value: detectionsIn(0, ...many) });
  const other = letter({ value: detections(detection()) });
  await write([...small.slice(0, 150), large, other, ...small.slice(150)]);
  await run(["redrive", small[0]?.id ?? ""]);

  const news = await written("camera-log", async () => {
    const { done, lines } = await run(["redrive", "--all", "--reason", reason]);
    expect(done).toBe(true);
    expect(lines.at(-1)).toBe("300 redriven, 0 not");
  });

  const expected = [...small.slice(1, 150), large, ...small.slice(150)].map(bytesOf);
  const byPartition = expected.toSorted((a, b) => a.partition - b.partition);
  expect(large.value?.length).toBeGreaterThan(6 * 1024 * 1024);
  expect(news.toSorted((a, b) => a.partition - b.partition)).toEqual(byPartition);
  expect(await stateOf(other.id)).toBe("open");
  expect((await run(["redrive", "--all", "--reason", reason])).lines).toEqual(["0 redriven, 0 not"]);
});
