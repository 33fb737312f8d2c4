// A trial of a zone gives the intersections that live state gave for the zone, whatever the log.
import { expect, test } from "vitest";
import { createZoneTrial, type TrialStay } from "../../../../projections/trial/zone-trial.ts";
import type { CameraLogEvent, Zone } from "../../../../schemas/events.ts";
import { drawn, recorded, seen, settings, T0, zone } from "../live/camera.ts";
import { below, createRandom, type Random } from "../live/random-log.ts";
import { rowsOf, tracksOf } from "./answers.ts";
import { anyTriedZone, liveStays, type ShownStay, sortedStays, TRIAL_END, trialWalk } from "./walks.ts";

test("a trial over pieces of any length gives the intersections of live state", () => {
  let stays = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const random = createRandom(seed);
    const tried = anyTriedZone(random);
    const log = trialWalk(random, 3);

    const live = liveStays(log, tried, 0);
    const found = trialStays(log, tried, { reorderMs: 0, cuts: anyCuts(random) });

    expect(found, `seed ${seed}`).toEqual(live);
    stays += live.length;
  }
  expect(stays).toBeGreaterThan(300);
});

test("with a time to reorder, a camera with one track has the intersections of live state", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = createRandom(seed);
    const tried = anyTriedZone(random);
    const log = trialWalk(random, 1);

    expect(trialStays(log, tried, { reorderMs: 2_000, cuts: [] }), `seed ${seed}`).toEqual(
      liveStays(log, tried, 2_000),
    );
  }
});

test("a track that is inside at the end of the range has no end, and one that was silent for the TTL has", () => {
  const log = [drawn(), recorded(seen(0, 150)), recorded(seen(10_000, 150, { trackId: "late" }))];
  const tried = zone();

  const at = (to: number) => trialStays(log, tried, { reorderMs: 0, cuts: [], to: T0 + to });

  expect(at(10_001)).toEqual([stay("late", 10_000, null), stay("t", 0, null)]);
  expect(at(settings.trackTtlMs + 1)).toEqual([stay("late", 10_000, null), stay("t", 0, 0)]);
});

test.each([
  ["in order", 0, false],
  ["in any order", 0, true],
  ["in order, and held", 2_000, false],
  ["in any order, and held", 2_000, true],
])("a track with very many detections %s is added in many short steps", (_name, reorderMs, isShuffled) => {
  const tried = zone();
  const trial = createZoneTrial({ zone: tried, trackTtlMs: settings.trackTtlMs, reorderMs, to: TRIAL_END });
  trial.setHeader("t", { tag: "", end: { time: T0 + 1_000_000, offset: 10_000 } });
  const random = createRandom(1);
  const order = Array.from({ length: VERY_MANY }, (_, n) => ({ n, key: isShuffled ? random() : n }));
  const rows = rowsOf(order.sort((a, b) => a.key - b.key).map(({ n }) => recorded(seen(n * 200, 150))));
  const [track] = tracksOf(
    rows.toSorted((a, b) => a.detection.timestamp - b.detection.timestamp),
    tried,
  );

  expect(track === undefined ? 0 : [...trial.add(track)].length).toBeGreaterThanOrEqual(VERY_MANY / 500);
});

const VERY_MANY = 50_000;

const stay = (trackId: string, start: number, end: number | null) => ({
  trackId,
  startTime: T0 + start,
  endTime: end === null ? null : T0 + end,
});

const anyCuts = (random: Random): number[] =>
  Array.from({ length: below(random, 6) }, () => T0 + below(random, 120_000)).sort((a, b) => a - b);

interface Cut {
  readonly reorderMs: number;
  readonly cuts: readonly number[];
  readonly to?: number;
}

function trialStays(
  log: readonly CameraLogEvent[],
  tried: Zone,
  { reorderMs, cuts, to = TRIAL_END }: Cut,
): ShownStay[] {
  const trial = createZoneTrial({ zone: tried, trackTtlMs: settings.trackTtlMs, reorderMs, to });
  const rows = rowsOf(log);
  const stays: TrialStay[] = [];
  const bounds = [Number.NEGATIVE_INFINITY, ...cuts, to];
  for (const [i, from] of bounds.slice(0, -1).entries()) {
    const until = bounds[i + 1] ?? to;
    const own = rows.filter(({ detection: { timestamp } }) => timestamp >= from && timestamp < until);
    const last = Math.max(...own.map(({ offset }) => offset));
    const overlap = rows.filter(
      ({ detection: { timestamp }, offset }) => timestamp >= until && timestamp < to && offset < last,
    );
    // ClickHouse reads by time.
    const piece = [...own, ...overlap].sort((a, b) => a.detection.timestamp - b.detection.timestamp);
    for (const track of tracksOf(piece, tried)) {
      const { trackId } = track;
      if (!trial.isKnown(trackId)) trial.setHeader(trackId, { tag: "", end: endIn(log, trackId) });
      drain(trial.add(track));
    }
    stays.push(...drain(trial.endPiece(until)));
  }
  stays.push(...drain(trial.end(to)));
  return sortedStays(stays);
}

function endIn(log: readonly CameraLogEvent[], trackId: string) {
  const offset = log.findIndex(({ type, event }) => type === "TrackUpdated" && event.trackId === trackId);
  const message = log[offset];
  if (message?.type !== "TrackUpdated" || message.event.endTime === null) return null;
  return { time: message.event.endTime, offset };
}

function drain<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
