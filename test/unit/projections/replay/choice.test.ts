// The fold of a segment with zones and settings in place of the recorded ones.
import { expect, test } from "vitest";
import { asRecorded, type FoldRules, foldRulesOf, versionsOf } from "../../../../projections/replay/fold-rules.ts";
import { createSegmentFold } from "../../../../projections/replay/fold-segment.ts";
import type { Segment } from "../../../../projections/replay/session.ts";
import { createSignalListener } from "../../../../projections/webhooks/signals/signal-listener.ts";
import { type Subscribed, subscribersOf } from "../../../../projections/webhooks/signals/subscribers.ts";
import type { CameraLogEvent } from "../../../../schemas/events.ts";
import {
  created,
  drawn,
  expired,
  INSIDE,
  OUTSIDE,
  polygon,
  recorded,
  rectangle,
  seen,
  settings,
  T0,
  zone,
} from "../live/camera.ts";
import { ofZones, subscribed } from "../webhooks/signals/subscribed.ts";

const WINDOW = { kind: "window" as const, from: T0, to: T0 + 10_000 };
const elsewhere = zone({ zoneId: "new", name: "new", polygon: polygon(rectangle(0, 0, 100, 100)) });
const TTL_MS = 1_000;

const segment: Segment = {
  ...{ partition: 0, asked: WINDOW, dataSourceIds: ["cam"], log: "topic", begin: 0, end: 100 },
  ...{ beginAt: T0, lastAt: T0 + 10_000, recorded: [], eventFrom: T0, eventTo: T0 + 10_000 },
};

const versionOf = (each = zone()) => ({
  ...{ zoneId: each.zoneId, dataSourceId: "cam", zone: each, movedTo: null, refusal: null, partition: 0, offset: -1 },
});

interface Folding {
  readonly rules?: FoldRules;
  readonly zones?: readonly ReturnType<typeof versionOf>[];
  readonly trackTtlMs?: number;
  readonly finishedAt?: number;
}

/** The broker time of a message is that of its detection, or the given one. */
function replayed(
  log: readonly (readonly [at: number, message: CameraLogEvent])[],
  subscription: Subscribed,
  { rules = asRecorded, zones = [], trackTtlMs = settings.trackTtlMs, finishedAt }: Folding = {},
) {
  const subscribers = subscribersOf([subscription]);
  const listener = createSignalListener({ of: () => subscribers });
  const fold = createSegmentFold(segment, zones, { ...settings, trackTtlMs, listener }, rules);
  const steps = log.flatMap(([at, message], offset) => fold.fold({ offset, recordedAt: T0 + at, message }));
  if (finishedAt !== undefined) steps.push(...fold.finish(T0 + finishedAt));
  const signals = steps.flatMap((step) => step.signals);
  return { signals, names: signals.map(({ signal, subjectId }) => `${signal} ${subjectId}`) };
}

const walk = [
  [0, drawn()],
  [1, created()],
  [10, recorded(seen(10, OUTSIDE))],
  [500, recorded(seen(500, INSIDE))],
] as const;

test("zones of the request count in place of those of the log", () => {
  const own = foldRulesOf([elsewhere], {}, settings.trackTtlMs);

  expect(replayed(walk, ofZones()).names).toEqual(["zone_occupied z"]);
  expect(replayed(walk, ofZones(), { rules: own, zones: [versionOf(elsewhere)] }).names).toEqual([
    "zone_occupied new",
    "zone_empty new",
  ]);
});

test("settings of all zones count for zones from before and for those that the log creates", () => {
  const rules = foldRulesOf("then", { enterDetections: 2 }, settings.trackTtlMs);
  const later = [...walk, [600, recorded(seen(600, INSIDE))]] as const;

  expect(replayed(walk, ofZones(), { rules }).names).toEqual([]);
  expect(replayed(later, ofZones(), { rules }).names).toEqual(["zone_occupied z"]);
  expect(replayed(later.slice(1), ofZones(), { rules, zones: [versionOf()] }).names).toEqual(["zone_occupied z"]);
});

test("with another time to live a track ends by the clock of the log, and the recorded expiry counts for nothing", () => {
  const rules = foldRulesOf("then", { trackTtlMs: TTL_MS }, settings.trackTtlMs);
  const beside = { trackId: "u" };
  const log = [...walk, [1_600, recorded(seen(1_600, OUTSIDE, beside))], [16_000, expired(500)]] as const;

  const { names, signals } = replayed(log, subscribed(), { rules, trackTtlMs: TTL_MS, finishedAt: 60_000 });

  expect(names).toEqual([
    ...["track_created t", "track_updated t", "track_expired t"],
    ...["track_created u", "track_expired u"],
  ]);
  expect(signals.map(({ timestamp }) => timestamp - T0)).toEqual([10, 500, 1_500, 1_600, 2_600]);
});

test("a shorter silence than the time to live ends nothing, also after the last message", () => {
  const rules = foldRulesOf("then", { trackTtlMs: TTL_MS }, settings.trackTtlMs);

  expect(replayed(walk, subscribed(), { rules, trackTtlMs: TTL_MS, finishedAt: 1_400 }).names).toEqual([
    "track_created t",
    "track_updated t",
  ]);
  expect(replayed(walk, subscribed(), { finishedAt: 60_000 }).names).toHaveLength(2);
});

test("expiries of one moment have ids of their own", () => {
  const rules = foldRulesOf("then", { trackTtlMs: TTL_MS }, settings.trackTtlMs);
  const log = [
    [0, drawn()],
    [10, recorded(seen(10, INSIDE, { trackId: "a" }), seen(10, INSIDE, { trackId: "b" }))],
    [5_000, recorded(seen(5_000, INSIDE, { trackId: "c" }))],
  ] as const;

  const { signals } = replayed(log, ofZones(), { rules, trackTtlMs: TTL_MS });

  expect(signals).toHaveLength(5);
  expect(new Set(signals.map(({ id }) => id)).size).toBe(5);
});

test.each<Segment["asked"]>([
  WINDOW,
  { kind: "tracks", tracks: [{ dataSourceId: "cam", trackId: "t" }] },
  { kind: "offsets", spans: [{ from: 0, to: 100 }] },
])("a zone that changed after the segment does not end it: $kind", (asked) => {
  const later = zone({ updatedAt: T0 + 60_000 });
  const beginnings = [
    { zones: [{ ...versionOf(later), offset: 200 }], rules: asRecorded },
    { zones: [{ ...versionOf(later), offset: 200 }], rules: foldRulesOf("now", {}, settings.trackTtlMs) },
    { zones: versionsOf([later], ["cam"]), rules: foldRulesOf([later], {}, settings.trackTtlMs) },
  ];
  for (const { zones, rules } of beginnings) {
    const listener = createSignalListener({ of: () => subscribersOf([subscribed()]) });
    const fold = createSegmentFold({ ...segment, asked }, zones, { ...settings, listener }, rules);

    expect(fold.isOver()).toBe(false);
    expect(fold.fold({ offset: 0, recordedAt: T0, message: recorded(seen(0, INSIDE)) })[0]?.signals).toHaveLength(1);
  }
});

test("spans of offsets count in whatever order they are named", () => {
  const spans = [
    { from: 50, to: 60 },
    { from: 0, to: 10 },
  ];
  const listener = createSignalListener({ of: () => subscribersOf([subscribed()]) });
  const fold = createSegmentFold({ ...segment, asked: { kind: "offsets", spans } }, [], { ...settings, listener });

  fold.fold({ offset: 20, recordedAt: T0, message: recorded(seen(0, INSIDE)) });
  expect(fold.isOver()).toBe(false);
  expect(fold.fold({ offset: 50, recordedAt: T0, message: recorded(seen(100, OUTSIDE)) })[0]?.signals).toHaveLength(1);
});
