import { expect, test } from "vitest";
import { apply, createPartition, type LiveSettings, noOutputs } from "../../../../projections/live/partition.ts";
import { pastTexts } from "../../../../projections/live/past.ts";
import { storeTrack, storeZone } from "../../../../projections/live/stored.ts";
import { trackState, zoneState } from "../../../../projections/live/views.ts";
import { createMomentFold, type MomentFold, type TimedEvent } from "../../../../projections/replay/fold-moment.ts";
import type { CameraLogEvent } from "../../../../schemas/events.ts";
import { created, deleted, drawn, INSIDE, OUTSIDE, recorded, seen, settings, T0, zone } from "../live/camera.ts";
import { createRandom, randomLog } from "../live/random-log.ts";

const version = { zoneId: "z", dataSourceId: "cam", partition: 3, offset: 0, movedTo: null, refusal: null };

function run(fold: MomentFold, events: readonly TimedEvent[]): void {
  for (const event of events) for (const _step of fold.fold(event));
}

const timed = (log: readonly CameraLogEvent[], everyMs = 300): TimedEvent[] =>
  log.map((message, offset) => ({ offset, recordedAt: T0 + offset * everyMs, message }));

const sourceOf = (message: CameraLogEvent): string =>
  "zone" in message.event
    ? message.event.zone.dataSourceId
    : "dataSourceId" in message.event
      ? message.event.dataSourceId
      : "";

/** The views of the tracks and zones of "cam" that the state machine's fold of the whole partition gives. */
function expected(events: readonly TimedEvent[], settings: LiveSettings) {
  const state = createPartition(3);
  for (const { message, ...place } of events) {
    if (message !== undefined) apply(state, { ...place, message }, settings, noOutputs());
  }
  const tracks = state.sources.get("cam")?.tracks ?? new Map();
  const textOf = (trackId: string) => storeTrack(tracks.get(trackId));
  return {
    tracks: [...tracks.values()].map((track) => [
      track.trackId,
      trackState({ text: storeTrack(track), past: Array.from(pastTexts(track), ([, json]) => json) }),
    ]),
    zones: [...state.zones.values()].flatMap((each) =>
      each.definition.dataSourceId === "cam"
        ? [[each.definition.zoneId, zoneState(storeZone(each), Array.from(each.activeTracks, textOf))]]
        : [],
    ),
  };
}

test.each([0, 2_000])("of other data sources a fold needs only the times (reorder %i ms)", (reorderMs) => {
  const own = { ...settings, reorderMs };
  let compared = 0;
  for (let seed = 1; seed <= 30; seed++) {
    const random = createRandom(seed);
    const events = timed(randomLog(random, 40 + Math.floor(random() * 160)));
    const fold = createMomentFold(3, [], own);

    run(
      fold,
      events.map((event) =>
        event.message && sourceOf(event.message) === "cam" ? event : { ...event, message: undefined },
      ),
    );

    const { tracks, zones } = expected(events, own);
    for (const [trackId, state] of tracks) {
      const texts = fold.track("cam", String(trackId));
      expect(texts && trackState(texts)).toEqual(state);
      compared += state === null ? 0 : 1;
    }
    for (const [zoneId, state] of zones) expect(fold.zone(String(zoneId))).toEqual(state);
  }
  expect(compared).toBeGreaterThan(60);
});

test("a fold that begins with the zones of that place finds what is in them", () => {
  const fold = createMomentFold(3, [{ ...version, zone: zone() }], settings);

  run(fold, timed([created(), recorded(seen(0, INSIDE)), recorded(seen(1_000, INSIDE))]));

  expect(fold.zone("z")).toMatchObject({ track_count: 1, trigger_track_id: "t", trigger_tag: "person" });
  expect(fold.zone("other")).toBeUndefined();
  expect(fold.track("cam", "other")).toBeUndefined();
  expect(fold.trackCount()).toBe(1);
});

test("a zone's newest visit before the fold counts until the next one, and not for a zone that is drawn later", () => {
  const visit = { trackId: "before", tag: "car", lastAt: T0 - 5_000 };
  const fold = createMomentFold(3, [{ ...version, zone: zone() }], settings);
  fold.visited("z", visit);
  fold.visited("later", visit);

  const updatedAt = new Date(visit.lastAt).toISOString();
  expect(fold.zone("z")).toMatchObject({
    track_count: 0,
    trigger_track_id: "before",
    trigger_tag: "car",
    updated_at: updatedAt,
  });
  run(fold, timed([drawn({ zoneId: "later" }), recorded(seen(0, INSIDE), seen(500, OUTSIDE))]));
  expect(fold.zone("z")?.trigger_track_id).toBe("t");

  run(fold, [{ offset: 9, recordedAt: T0 + 9_000, message: deleted() }]);
  expect(fold.zone("z")).toBeUndefined();
  expect(fold.zone("later")?.trigger_track_id).toBe("t");
});

test("without recorded ends, tracks end when they have been silent for the time to live", () => {
  const fold = createMomentFold(3, [{ ...version, zone: zone() }], settings);
  run(fold, timed([recorded(seen(0, INSIDE)), recorded(seen(100, INSIDE, { trackId: "second" }))], 10_000));

  fold.endSilent(T0 + settings.trackTtlMs);

  const ends = ["t", "second"].map((id) => {
    const texts = fold.track("cam", id);
    return texts && trackState(texts)?.track_end;
  });
  expect(ends).toEqual([new Date(T0 + settings.trackTtlMs).toISOString(), undefined]);
  expect(Object.keys(fold.zone("z")?.active_tracks ?? {})).toEqual(["second"]);
});

test("a stretch that was silent ends also when all of its detections are held, and a detection after the gap is", () => {
  const fold = createMomentFold(3, [{ ...version, zone: zone() }], { ...settings, reorderMs: 1_000 });
  const log = [created(), recorded(seen(0, INSIDE)), recorded(seen(60_000, INSIDE))];
  for (const event of timed(log, 30_000)) {
    fold.endSilent(event.recordedAt);
    run(fold, [event]);
  }

  const texts = fold.track("cam", "t");
  const ended = { detection_count: 1, track_end: new Date(T0 + settings.trackTtlMs).toISOString() };
  expect(texts && trackState(texts)).toMatchObject(ended);
  expect(fold.zone("z")?.track_count).toBe(0);
});
