// Whatever happened to a stretch file, it is refused with a sentence, and takes neither time nor memory without end.
import { randomBytes } from "node:crypto";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import avro from "avsc";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Segment } from "../../../../../projections/replay/session.ts";
import { eventBoundsOf } from "../../../../../schemas/bounds.ts";
import { loadConfig } from "../../../../../services/common/config.ts";
import { foldEnv, foldSettings } from "../../../../../services/common/fold-config.ts";
import { headerMapType, longType, MAGIC } from "../../../../../services/recorded/stretch/container.ts";
import { metadataEntries } from "../../../../../services/recorded/stretch/metadata.ts";
import { openStretch } from "../../../../../services/recorded/stretch/read-stretch.ts";
import { stretchSchema, stretchType, toWire } from "../../../../../services/recorded/stretch/schema.ts";
import { createStretchWriter } from "../../../../../services/recorded/stretch/write-stretch.ts";
import { at, box, created, detection, recorded } from "../../../../support/scenes/feed-events.ts";
import { camSegment, stretchMetadata, writeStretchFile } from "../../../../support/scenes/stretch-files.ts";

let folder = "";
let whole = Buffer.alloc(0);

const messages = [
  { second: 0, message: created("a") },
  ...Array.from({ length: 40 }, (_, i) => ({
    second: i,
    message: recorded("cam", detection("a", i, { polygon: box(i, i) })),
  })),
];

/** Marker of the containers that are written here. */
const SYNC = Buffer.alloc(16, 7);

const named = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tracklog-damaged-"));
  await writeStretchFile(named("whole"), { segments: [{ segment: camSegment(), zones: [], messages }] });
  whole = await readFile(named("whole"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function faultOf(content: Buffer): Promise<string> {
  const path = named(`x-${randomBytes(4).toString("hex")}`);
  await writeFile(path, content);
  const error: unknown = await openStretch(path).then(
    (file) => file.close().then(() => undefined),
    (thrown: unknown) => thrown,
  );
  await rm(path);
  if (error === undefined) return "";
  expect(error).toMatchObject({ name: "DamagedFile" });
  return error instanceof Error ? error.message.slice(path.length + 2) : "";
}

test("a file that is cut anywhere is refused", async () => {
  for (const length of [1, 3, 4, 100, whole.length >> 1, whole.length - 200, whole.length - 17, whole.length - 1]) {
    expect(await faultOf(whole.subarray(0, length))).toMatch(
      /ends in the middle|no Avro object container|end is missing/,
    );
  }
});

test("a file that is cut between two blocks is refused", async () => {
  const sync = whole.subarray(-16);
  const ends = [...whole.toString("latin1").matchAll(new RegExp(escaped(sync), "gs"))].map(({ index }) => index + 16);
  expect(ends.length).toBeGreaterThan(2);

  for (const end of ends.slice(0, -1)) expect(await faultOf(whole.subarray(0, end))).toBe("its end is missing");
});

const escaped = (bytes: Buffer) => [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");

test("a byte that is flipped anywhere before the last block is noticed", async () => {
  const end = whole.lastIndexOf(whole.subarray(-16), whole.length - 17) + 16;
  const step = Math.max(1, Math.floor(end / 60));
  const unnoticed: number[] = [];
  for (let place = 0; place < end; place += step) {
    const flipped = Buffer.from(whole);
    flipped.writeUInt8(flipped.readUInt8(place) ^ 0x10, place);
    if ((await faultOf(flipped)) === "") unnoticed.push(place);
  }

  expect(unnoticed).toEqual([]);
});

test.each([
  ["an empty file", Buffer.alloc(0), "the file is empty"],
  ["a text", Buffer.from('{ "kind": "message" }'), "it is no Avro object container file"],
  ["another Avro file", container({}, '"long"', []), "it is an Avro file, but no stretch"],
])("%s is refused", async (_, content, reason) => {
  expect(await faultOf(content)).toContain(reason);
});

interface RawBlock {
  readonly count: number;
  readonly length: number;
  readonly data: Buffer;
  readonly sync?: Buffer;
}

/** A container as anybody may write it. */
function container(metadata: Record<string, string>, schema: string, blocks: readonly RawBlock[]): Buffer {
  const texts = { ...metadata, "avro.schema": schema, "avro.codec": "null" };
  const entries = Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]);
  const parts = [MAGIC, headerMapType.toBuffer(Object.fromEntries(entries)), SYNC];
  for (const { count, length, data, sync = SYNC } of blocks) {
    parts.push(longType.toBuffer(count), longType.toBuffer(length), data, sync);
  }
  return Buffer.concat(parts);
}

const own = metadataEntries(stretchMetadata());
const recordOf = (given: Segment): Buffer =>
  stretchType().toBuffer(
    toWire({
      ...{ kind: "segment", partition: 0, offset: 0, recordedAt: at(0), key: null, headers: [] },
      event: { type: "StretchSegment", event: { segment: JSON.stringify(given) } },
    }),
  );
const segment = recordOf(camSegment());
const block = (given: Partial<RawBlock> = {}): RawBlock => ({
  count: 1,
  length: segment.length,
  data: segment,
  ...given,
});

/** Ids of 6 MB in all. */
const manyIds = () => Array.from({ length: 30_000 }, (_, i) => `${i}${"x".repeat(200)}`);

function crowded(count: number): RawBlock[] {
  const data = recordOf(camSegment({ dataSourceIds: manyIds() }));
  return Array.from({ length: count }, () => block({ length: data.length, data }));
}

test.each([
  ["a wrong marker", [block({ sync: Buffer.alloc(16, 8) })], "a wrong marker follows its block"],
  ["a block of 2 GB", [block({ length: 2 ** 31 })], "declares 2147483648 bytes"],
  ["a block of a negative size", [block({ length: -1 })], "declares -1 bytes"],
  ["more records than bytes", [block({ count: 2 ** 31 })], "declares 2147483648 records"],
  ["fewer records than its block has", [block({ count: 0 })], "has more than its 0 records"],
  ["more records than its block has", [block({ count: 2 })], "has no record of its schema"],
  [
    "two segments in a block",
    [block({ count: 2, length: 2 * segment.length, data: Buffer.concat([segment, segment]) })],
    "it begins no segment",
  ],
  ["a segment alone", [block()], "its end is missing"],
  ["segments with very many data sources", crowded(3), "record 3 (segment 0/0): its segments have more than 16777216"],
])("%s is refused", async (_, blocks, reason) => {
  expect(await faultOf(container(own, stretchSchema, blocks))).toContain(reason);
});

test.each([
  ["no schema", ""],
  ["a schema that is none", "{"],
  ["a schema of another record", JSON.stringify({ type: "record", name: "io.tracklog.Other", fields: [] })],
  ["a record with other fields", otherSchema({ partition: "string" })],
  ["a schema without the key", stretchSchema.replace('"partition"', '"part"')],
  ["a schema that nests without end", nestedSchema()],
])("%s is refused", async (_, schema) => {
  expect(await faultOf(container(own, schema, [block()]))).toContain("this version cannot read records of its schema");
});

function otherSchema(types: Readonly<Record<string, string>>): string {
  const { fields, ...rest } = JSON.parse(stretchSchema);
  const changed = fields.map((field: { name: string }) => ({
    ...field,
    ...(types[field.name] && { type: types[field.name] }),
  }));
  return JSON.stringify({ ...rest, fields: changed });
}

/** Each level names the one below it four times. */
function nestedSchema(): string {
  let inner: object = { type: "record", name: "l0", fields: [{ name: "v", type: "int" }] };
  for (let level = 1; level < 12; level++) {
    const [first, ...more] = Array.from({ length: 4 }, (_, i) => ({ name: `f${i}`, type: `l${level - 1}` as unknown }));
    inner = { type: "record", name: `l${level}`, fields: [{ ...first, type: inner }, ...more] };
  }
  return JSON.stringify({ type: "record", name: "io.tracklog.StretchRecord", fields: [{ name: "a", type: inner }] });
}

test("metadata with a fault is refused, and so is another format", async () => {
  const file = (metadata: Record<string, string>) => container(metadata, stretchSchema, [block()]);

  expect(await faultOf(file({ ...own, "tracklog.settings": "{" }))).toContain("its metadata has a fault: settings");
  expect(await faultOf(file({ ...own, "tracklog.format": "2" }))).toContain("another version of tracklog wrote it");
});

test("an event that no reader would accept is refused, whatever the checksum says", async () => {
  const early = { ...camSegment(), dataSourceIds: ["other"] };
  const far = [{ second: 0, message: recorded("cam", detection("a", 400)) }];

  await writeStretchFile(named("future"), { segments: [{ segment: camSegment(), zones: [], messages: far }] });
  await writeStretchFile(named("foreign"), { segments: [{ segment: early, zones: [], messages }] });

  await expect(openStretch(named("future"))).rejects.toThrow("its record 2 (message 0/0): timestamp");
  await expect(openStretch(named("foreign"))).rejects.toThrow("its segment has no data source cam");
});

test("an end with another checksum is refused", async () => {
  const writer = await createStretchWriter(named("lie"), {
    metadata: stretchMetadata(),
    codec: "null",
    replaces: true,
  });
  await writer.beginSegment(camSegment());
  const event = { type: "StretchEnd", event: { messages: 0, records: 1, sha256: "00" } } as const;
  await writer.beginCatalog();
  await writer.add({ kind: "end", partition: 0, offset: 0, recordedAt: 0, key: null, headers: [], event });
  await writer.finish();

  await expect(openStretch(named("lie"))).rejects.toThrow("it is damaged: its checksum differs");
});

test("any reader of Avro reads the records", async () => {
  const kinds: string[] = [];
  const decoder = new avro.streams.BlockDecoder();
  decoder.on("data", ({ kind, event }) => kinds.push(event === null ? kind : `${kind} ${Object.keys(event)}`));
  const done = new Promise((resolve, reject) => decoder.on("end", resolve).on("error", reject));
  decoder.end(whole);
  await done;

  expect(kinds.slice(0, 3)).toEqual([
    "segment io.tracklog.StretchSegment",
    "message io.tracklog.TrackCreated",
    "message io.tracklog.DetectionsRecorded",
  ]);
  expect(kinds).toHaveLength(1 + messages.length + 1);
});

test("a file that exists is not replaced unless it may be, and an unfinished one leaves nothing", async () => {
  const options = { metadata: stretchMetadata(), codec: "deflate", replaces: false } as const;
  await expect(createStretchWriter(named("whole"), options)).rejects.toThrow("exists already");

  const writer = await createStretchWriter(named("left"), options);
  await writer.beginSegment(camSegment());
  await writer.abandon();

  await expect(open(named("left"))).rejects.toThrow("ENOENT");
  await expect(open(named("left.part"))).rejects.toThrow("ENOENT");
});

const limitsOf = (env: Readonly<Record<string, string>>) => {
  const config = loadConfig(foldEnv, env);
  return { settings: foldSettings(config), bounds: eventBoundsOf(config) };
};
const { settings, bounds } = limitsOf({});

test.each([
  ["TRACK_TTL=3600", "600", { settings: { ...settings, trackTtlMs: 3_600_000 } }],
  ["REORDER_MS=60000", "10000", { settings: { ...settings, reorderMs: 60_000 } }],
  ["REMEMBERED_TRACKS=1000000000", "50000", { settings: { ...settings, rememberedTracks: 1e9 } }],
  ["MAX_DATA_SOURCE_VERTICES=64001", "64000", { settings: { ...settings, maxSourceVertices: 64_001 } }],
  ["MAX_DATA_SOURCE_VERTICES=64001", "64000", { bounds: { ...bounds, maxDataSourceVertices: 64_001 } }],
  ["MAX_ZONE_VERTICES=10001", "10000", { bounds: { ...bounds, maxZoneVertices: 10_001 } }],
  ["MAX_DETECTION_VERTICES=1000000", "256", { bounds: { ...bounds, maxDetectionVertices: 1_000_000 } }],
  ["MAX_FUTURE_MS=300001", "300000", { bounds: { ...bounds, maxFutureMs: 300_001 } }],
])("a file that asks for %s is refused by a reader that takes %s", async (asked, most, given) => {
  const path = named("limits");
  const metadata = stretchMetadata({ settings, bounds, ...given });
  await writeStretchFile(path, { metadata, segments: [{ segment: camSegment(), zones: [], messages }] });
  const [name = "", value = ""] = asked.split("=");

  await expect(openStretch(path, { limits: limitsOf({}) })).rejects.toThrow(
    `${path}: it was recorded with ${asked}, and ${most} is the limit here: set ${asked}`,
  );
  const file = await openStretch(path, { limits: limitsOf({ [name]: value }) });
  await file.close();
});

test("a selection whose segments no reader would take is refused when it is written", async () => {
  const writer = await createStretchWriter(named("crowd"), {
    metadata: stretchMetadata(),
    codec: "null",
    replaces: true,
  });
  const dataSourceIds = manyIds();
  await writer.beginSegment(camSegment({ dataSourceIds }));
  await writer.beginSegment(camSegment({ dataSourceIds }));

  await expect(writer.beginSegment(camSegment({ dataSourceIds }))).rejects.toThrow("export fewer of them");
  await writer.abandon();
});
