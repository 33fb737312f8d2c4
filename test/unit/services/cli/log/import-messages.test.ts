// The messages that an import writes for a file of several segments.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Zone, ZoneVersion } from "../../../../../schemas/events.ts";
import { type ImportMessage, importMessages } from "../../../../../services/cli/log/import-messages.ts";
import { openStretch } from "../../../../../services/recorded/stretch/read-stretch.ts";
import { at, box, detection, recorded } from "../../../../support/scenes/feed-events.ts";
import { camSegment, type SceneSegment, writeStretchFile } from "../../../../support/scenes/stretch-files.ts";
import { zone } from "../../../../support/scenes/zone.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tracklog-import-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function messagesOf(...segments: readonly SceneSegment[]): Promise<ImportMessage[]> {
  const path = join(folder, "scene.avro");
  await writeStretchFile(path, { segments });
  const file = await openStretch(path);
  const found: ImportMessage[] = [];
  for await (const message of importMessages(file)) found.push(message);
  await file.close();
  return found;
}

const version = (of: Zone): ZoneVersion => ({
  ...{ zoneId: of.zoneId, dataSourceId: of.dataSourceId, zone: of, movedTo: null, refusal: null },
  ...{ partition: 0, offset: 0 },
});

const drawn = (zoneId: string, more: Partial<Zone> = {}) => zone({ zoneId, dataSourceId: "cam", ...more });
const seen = (trackId: string, second: number, dataSourceId = "cam") => ({
  second,
  message: recorded(dataSourceId, detection(trackId, second)),
});

const shortOf = ({ recordedAt, partition, message: { type, event } }: ImportMessage) => {
  const subject =
    "detections" in event ? event.detections[0]?.trackId : "zone" in event ? event.zone.zoneId : undefined;
  const place = `${partition} ${(recordedAt - at(0)) / 1_000}`;
  return `${place} ${type} ${subject ?? ("zoneId" in event ? event.zoneId : "")}`;
};

test("zones that changed between two segments are changed before the second one", async () => {
  const first = {
    segment: camSegment({ end: 10 }),
    zones: ["gone", "same", "grown"].map((id) => version(drawn(id))),
    messages: [seen("a", 1)],
  };
  const grown = drawn("grown", { polygon: box(0, 0, 50), updatedAt: 2_000 });
  const second = {
    segment: camSegment({ begin: 20, beginAt: at(50) }),
    zones: [drawn("same"), grown, drawn("new")].map(version),
    messages: [seen("b", 51)],
  };

  const messages = await messagesOf(first, second);

  expect(messages.map(shortOf)).toEqual([
    "0 0 ZoneCreated gone",
    "0 0 ZoneCreated same",
    "0 0 ZoneCreated grown",
    "0 1 DetectionsRecorded a",
    "0 50 ZoneDeleted gone",
    "0 50 ZoneUpdated grown",
    "0 50 ZoneCreated new",
    "0 51 DetectionsRecorded b",
  ]);
  const ids = messages.flatMap(({ headers }) => (headers["ce_id"] === undefined ? [] : String(headers["ce_id"])));
  expect(new Set(ids).size).toBe(6);
});

test("segments of the same time are written in the order of their broker times, and ticks are not written", async () => {
  const other = { partition: 1, dataSourceIds: ["other"] };
  const messages = await messagesOf(
    { segment: camSegment(), zones: [], messages: [seen("a", 1), { second: 2, message: undefined }, seen("b", 5)] },
    { segment: camSegment({ ...other, beginAt: at(2) }), zones: [], messages: [seen("c", 3, "other")] },
    { segment: camSegment({ ...other, begin: 9, beginAt: at(4) }), zones: [version(drawn("late"))], messages: [] },
  );

  expect(messages.map(shortOf)).toEqual([
    "0 1 DetectionsRecorded a",
    "1 3 DetectionsRecorded c",
    "0 5 DetectionsRecorded b",
    "1 4 ZoneCreated late",
  ]);
});
