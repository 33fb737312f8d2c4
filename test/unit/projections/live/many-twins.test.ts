// Invented cameras of one partition that all have a track with the same id.

import { expect, test } from "vitest";
import { forgetIdle } from "../../../../projections/live/partition.ts";
import { everything, restore } from "../../../../projections/live/persist.ts";
import type { PartitionState } from "../../../../projections/live/state.ts";
import { seenLast } from "../../../../projections/track/seen-last.ts";
import type { CameraLogEvent } from "../../../../schemas/events.ts";
import { storedOf } from "../../../support/scenes/stored-state.ts";
import { createCamera, created, OUTSIDE, recordedBy, seen, settings, T0 } from "./camera.ts";
import { createRandom } from "./random-log.ts";

const TRACKS = 50_000;
const FEW = 64;

const cameraOf = (number: number) => `cam${String(number).padStart(7, "0")}`;
const trackIn = (number: number, isShared: boolean) =>
  created({ trackId: isShared ? "t" : `t${number}`, dataSourceId: cameraOf(number) });

function crowd(isShared: boolean) {
  const camera = createCamera({ rememberedTracks: TRACKS });
  for (let i = 0; i < TRACKS; i++) camera.fold(trackIn(i, isShared));
  return camera;
}

/** Counts the reads of the instants by which tracks with one id are compared. */
function countReads({ sources }: PartitionState, during: () => void): number {
  let reads = 0;
  for (const { tracks } of sources.values()) {
    for (const track of tracks.values()) {
      let at = track.lastSeen;
      Object.defineProperty(track, "lastSeen", {
        get: () => {
          reads++;
          return at;
        },
        set: (value: number) => {
          at = value;
        },
      });
    }
  }
  during();
  return reads;
}

test.each([
  ["a further track", (camera: ReturnType<typeof crowd>, isShared: boolean) => camera.fold(trackIn(TRACKS, isShared))],
  [
    "a detection",
    (camera: ReturnType<typeof crowd>, isShared: boolean) =>
      camera.fold(recordedBy(cameraOf(77), seen(500, OUTSIDE, { trackId: isShared ? "t" : "t77" }))),
  ],
])("%s costs a few comparisons, also when as many cameras as are remembered share an id", (_what, fold) => {
  const [alike, apart] = [true, false].map((isShared) => {
    const camera = crowd(isShared);
    return countReads(camera.state, () => fold(camera, isShared));
  });

  expect(alike).toBeLessThan((apart ?? 0) + FEW);
});

test("forgetting costs a few comparisons a track, also when all of them share an id", () => {
  const { state } = crowd(true);
  const idle = { nowMs: T0 + 3 * settings.forgetAfterMs, caughtUp: true };

  const reads = countReads(state, () => forgetIdle(state, idle, settings, 1_000));

  expect(state.resting.size).toBe(TRACKS - 1_000);
  expect(reads).toBeLessThan(1_000 * FEW);
});

test("the id means the track seen last, whatever is seen, forgotten or read back in between", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = createRandom(seed);
    const camera = createCamera({ rememberedTracks: 12 });
    for (let i = 0; i < 300; i++) {
      const dataSourceId = cameraOf(Math.floor(random() * 30));
      if (random() < 0.5) camera.fold(created({ dataSourceId }));
      else camera.fold(recordedBy(dataSourceId, seen(Math.floor(random() * 40) * 100, OUTSIDE)));
      if (random() < 0.3) camera.fold(endOf(camera.state, dataSourceId));
      if (random() < 0.02) camera.state = restore(3, storedOf(camera.state));

      const tracks = [...camera.state.sources.values()].flatMap((source) => [...source.tracks.values()]);
      const meant = seenLast(tracks, ({ source, lastSeen }) => ({ dataSourceId: source.dataSourceId, lastSeen }));
      expect(camera.state.tracks.get("t"), `seed ${seed}, message ${i}`).toBe(meant);
      expect(everything(camera.state).tracks.size, `seed ${seed}, message ${i}`).toBe(tracks.length);
    }
  }
});

function endOf({ sources }: PartitionState, dataSourceId: string): CameraLogEvent {
  const { lastSeen = T0 } = sources.get(dataSourceId)?.tracks.get("t") ?? {};
  const event = { trackId: "t", dataSourceId, endTime: lastSeen, reason: "expired", readUpTo: null } as const;
  return { type: "TrackExpired", event };
}
