// A replay of a stretch file gives the signals that a fold of the same messages raises, and parts of the file give
// their part of them.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apply, createPartition, noOutputs } from "../../../../projections/live/partition.ts";
import { putZones } from "../../../../projections/live/zones-at.ts";
import type { ReplaySelection } from "../../../../projections/replay/selection.ts";
import { createSignalListener } from "../../../../projections/webhooks/signals/signal-listener.ts";
import { subscribersOf } from "../../../../projections/webhooks/signals/subscribers.ts";
import type { CameraLogEvent, ZoneVersion } from "../../../../schemas/events.ts";
import type { SignalRaised } from "../../../../schemas/records/signal-raised.ts";
import { fromFile } from "../../../../services/recorded/file-segments.ts";
import type { FoldChoice } from "../../../../services/recorded/read-segment.ts";
import { stepsOf } from "../../../../services/recorded/steps.ts";
import { liveSettings } from "../../../support/running/live-settings.ts";
import { dataSourceCreated } from "../../../support/scenes/catalog.ts";
import { at, box, created, detection, expired, recorded, updated } from "../../../support/scenes/feed-events.ts";
import { subscriptionSet } from "../../../support/scenes/signals.ts";
import {
  camSegment,
  type SceneMessage,
  stretchMetadata,
  writeStretchFile,
} from "../../../support/scenes/stretch-files.ts";
import { zone } from "../../../support/scenes/zone.ts";

const gate = zone({
  zoneId: "gate",
  dataSourceId: "cam",
  polygon: box(0, 0, 20),
  createdAt: at(-10),
  updatedAt: at(-10),
});
const before: ZoneVersion = {
  ...{ zoneId: "gate", dataSourceId: "cam", zone: gate, movedTo: null, refusal: null, partition: 0, offset: 3 },
};
const wider: CameraLogEvent = {
  type: "ZoneUpdated",
  event: {
    ...{ zoneId: "gate", dataSourceId: "cam", updatedAt: at(12), ifUpdatedAt: null, cleared: [] },
    set: { name: null, polygon: box(0, 0, 60), active: null, anchor: null, enterDetections: null, exitDelayMs: null },
  },
};

const seen = (trackId: string, second: number, x: number) =>
  recorded("cam", detection(trackId, second, { polygon: box(x, 0) }));

/** A track that crosses the zone, the zone grows, another track expires within it, and a detection comes late. */
const messages: readonly SceneMessage[] = [
  { second: 0, message: created("walker", { tag: "Person" }) },
  ...[0, 5, 10, 15, 20, 25, 30].map((second) => ({ second, message: seen("walker", second, 2 * second) })),
  { second: 31, message: undefined },
  { second: 32, message: seen("walker", 18, 0) },
  { second: 33, message: updated("walker", { tag: "runner" }) },
  { second: 40, message: seen("guest", 40, 5) },
  { second: 56, message: expired("walker", 30) },
  { second: 57, message: expired("guest", 40) },
  { second: 58, message: undefined },
].toSpliced(4, 0, { second: 12, message: wider });

const subscriptions = ["track_state", "zone_state"].map((signalType) => ({
  ...subscriptionSet(signalType, "https://a.example.com"),
  ...{ signalType: signalType as "track_state" | "zone_state", createdAt: 0 },
}));
const subscribers = subscribersOf(subscriptions);
const listener = () => createSignalListener({ of: () => subscribers });

function foldedSignals(): SignalRaised[] {
  const settings = { ...liveSettings, listener: listener() };
  const state = createPartition(0);
  const out = noOutputs();
  putZones(state, [before], settings);
  for (const [offset, { second, message }] of messages.entries()) {
    if (message !== undefined) apply(state, { offset, recordedAt: at(second), message }, settings, out);
  }
  return [...out.lists.signals];
}

let folder = "";
const path = () => join(folder, "scene.avro");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tracklog-stretch-"));
  const metadata = stretchMetadata();
  const segments = [{ segment: camSegment(), zones: [before], messages }];
  await writeStretchFile(path(), { metadata, segments, catalog: [dataSourceCreated("cam", { name: "Gate" })] });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const AS_RECORDED: FoldChoice = { zones: "then", settings: {} };

async function replayed(selection?: ReplaySelection, choice = AS_RECORDED, from = path()): Promise<SignalRaised[]> {
  const file = await fromFile(from, stretchMetadata());
  const signals: SignalRaised[] = [];
  try {
    const prepare = file.prepare(choice, listener());
    for await (const step of stepsOf(await file.plan(selection), {
      prepare,
      plannedAt: 0,
      throttle: async () => undefined,
    })) {
      signals.push(...step.signals);
    }
  } finally {
    await file.close();
  }
  return signals;
}

test("the file gives the signals of the log, field by field", async () => {
  const expected = foldedSignals();

  expect(expected.length).toBeGreaterThan(10);
  expect(await replayed()).toEqual(expected);
});

test("parts of the file give their part of the signals", async () => {
  const all = foldedSignals();
  const ofGuest = (signals: readonly SignalRaised[]) => signals.filter(({ state }) => state.includes('"guest"'));
  const window = { from: at(0), to: at(13) };

  const [tracks, early] = [
    await replayed({ kind: "tracks", trackIds: ["guest"] }),
    await replayed({ kind: "range", dataSourceIds: ["cam"], ...window }),
  ];

  expect(tracks.length).toBeGreaterThan(2);
  expect(tracks).toEqual(ofGuest(all));
  expect(early).toEqual(all.filter(({ timestamp }) => timestamp < window.to));
});

test("offsets of a file give the signals of their messages, in whichever order they are named", async () => {
  const spans = [{ partition: 0, from: 0, to: messages.length }];
  const asked = { kind: "offsets", spans } as const;
  const ofOffsets = join(folder, "offsets.avro");
  const segment = camSegment({ asked });
  await writeStretchFile(ofOffsets, {
    metadata: stretchMetadata({ asked }),
    segments: [{ segment, zones: [before], messages }],
  });
  const named = [
    { partition: 0, from: 8, to: 12 },
    { partition: 0, from: 1, to: 3 },
  ];

  const signals = await replayed({ kind: "offsets", spans: named }, AS_RECORDED, ofOffsets);

  const isNamed = ({ cause }: SignalRaised) => named.some(({ from, to }) => from <= cause.offset && cause.offset < to);
  const expected = foldedSignals().filter(isNamed);
  expect(new Set(expected.map(({ cause }) => cause.offset >= 8))).toEqual(new Set([true, false]));
  expect(signals).toEqual(expected);
  expect(await replayed({ kind: "offsets", spans: named.toReversed() }, AS_RECORDED, ofOffsets)).toEqual(expected);
});

test("the file refuses what it was not exported for", async () => {
  await expect(replayed({ kind: "tracks", trackIds: ["walker", "nobody"] })).rejects.toThrow("has no track nobody");
  await expect(replayed({ kind: "range", dataSourceIds: ["cam"], from: at(0), to: at(200) })).rejects.toThrow(
    "has not the whole range",
  );
  await expect(replayed({ kind: "range", dataSourceIds: ["x"], from: at(0), to: at(1) })).rejects.toThrow(
    "has no data source x",
  );
  await expect(replayed({ kind: "offsets", spans: [{ partition: 0, from: 0, to: 1 }] })).rejects.toThrow(
    "has not all of these offsets",
  );
  await expect(replayed(undefined, { zones: "now", settings: {} })).rejects.toThrow("a file has no present zones");
});

test("other zones and settings take the place of those of the file", async () => {
  const everywhere = zone({ zoneId: "all", dataSourceId: "cam", polygon: box(-100, -100, 1_000) });
  const signals = await replayed(undefined, { zones: [everywhere], settings: { trackTtlMs: 4_000 } });

  const zoneIds = signals.filter(({ signal }) => signal.startsWith("zone_")).map(({ subjectId }) => subjectId);
  expect(new Set(zoneIds)).toEqual(new Set(["all"]));
  // Detections are five seconds apart.
  expect(signals.filter(({ signal }) => signal === "track_created").length).toBeGreaterThan(3);
});

test("the catalog of the file is that of the stretch", async () => {
  const file = await fromFile(path(), stretchMetadata());

  expect(file.catalog.get("dataSource", "cam")?.name).toBe("Gate");
  await file.close();
});
