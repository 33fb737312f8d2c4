import { expect, test } from "vitest";
import {
  expiredSince,
  markOf,
  readMark,
  type TrackMark,
  writeMark,
} from "../../../../projections/event-state/track-mark.ts";
import type { Track } from "../../../../projections/live/state.ts";
import { parseTrack, storeTrack } from "../../../../projections/live/stored.ts";
import { allTracks } from "../../../../projections/live/twins.ts";
import { type Camera, createCamera, expired, INSIDE, recorded, seen, settings, updated } from "../live/camera.ts";
import { createRandom, randomLog } from "../live/random-log.ts";

/** Makes a mark as state-api does: through the text in Redis. */
const marked = (track: Track, camera: Camera): TrackMark => markOf(3, camera.offset, parseTrack(storeTrack(track)));

const LATER = settings.trackTtlMs + 1;

test.each([
  ["expired", [expired(0)]],
  ["ended", [updated({ endTime: 0 })]],
  ["expired and came back within the time to live", [expired(0), recorded(seen(1_000, INSIDE))]],
  ["expired and came back later", [expired(0), recorded(seen(LATER, INSIDE))]],
  ["had a gap", [recorded(seen(LATER, INSIDE))]],
])("a track that %s between two looks has expired", (_what, messages) => {
  const camera = createCamera();
  camera.fold(recorded(seen(0, INSIDE)));
  const track = camera.state.tracks.get("t");
  if (track === undefined) throw new Error("no track");
  const before = marked(track, camera);

  camera.fold(...messages);

  expect(expiredSince(before, marked(track, camera))).toBe(true);
});

test("of random tracks, exactly those that ended or began a new stretch between two looks have expired", () => {
  let ends = 0;
  for (let seed = 1; seed <= 5; seed++) {
    const camera = createCamera();
    const before = new Map<Track, { readonly mark: TrackMark; readonly phase: Track["phase"] }>();
    for (const message of randomLog(createRandom(seed), 300)) {
      camera.fold(message);
      for (const track of allTracks(camera.state)) {
        const mark = marked(track, camera);
        const last = before.get(track);
        if (last?.phase === "live") {
          const hasEnded = track.phase !== "live" || track.firstSeen !== last.mark.firstSeen;
          expect(expiredSince(readMark(writeMark(last.mark)), mark), `seed ${seed}`).toBe(hasEnded);
          ends += hasEnded ? 1 : 0;
        }
        before.set(track, { mark, phase: track.phase });
      }
    }
  }
  expect(ends).toBeGreaterThan(30);
});
