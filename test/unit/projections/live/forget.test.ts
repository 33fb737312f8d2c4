import { expect, test } from "vitest";
import { forgetIdle, takeTouched } from "../../../../projections/live/partition.ts";
import { everything, restore } from "../../../../projections/live/persist.ts";
import { storedOf } from "../../../support/scenes/stored-state.ts";
import {
  type Camera,
  createCamera,
  created,
  drawn,
  expired,
  INSIDE,
  OUTSIDE,
  recorded,
  recordedBy,
  seen,
  settings,
  T0,
  updated,
} from "./camera.ts";
import { createRandom, randomLog } from "./random-log.ts";

const FORGET_MS = 60_000;
/** The fold trusts the wall clock only up to this long ago. */
const CLOCK_DIFFERENCE_MS = 60_000;

const createForgetful = (reorderMs = 0) => createCamera({ forgetAfterMs: FORGET_MS, rememberedTracks: 4, reorderMs });

const idleAt = (camera: Camera, wall: number, caughtUp = true, most?: number) =>
  forgetIdle(camera.state, { nowMs: T0 + wall, caughtUp }, { ...settings, forgetAfterMs: FORGET_MS }, most);

const ended = updated({ endTime: T0 + 100, detections: [seen(100, INSIDE)] });

test("a data source that fell silent is forgotten with its tracks, in memory and in the store", () => {
  const camera = createForgetful();
  camera.fold(recorded(seen(0, OUTSIDE)), ended);
  takeTouched(camera.state);

  idleAt(camera, 100 + FORGET_MS + CLOCK_DIFFERENCE_MS);
  expect([camera.state.tracks.size, camera.state.sources.size]).toEqual([1, 1]);

  idleAt(camera, 101 + FORGET_MS + CLOCK_DIFFERENCE_MS);
  expect([camera.state.tracks.size, camera.state.sources.size]).toEqual([0, 0]);
  const { tracks, sources } = takeTouched(camera.state);
  expect([...tracks, ...sources]).toEqual([
    ["t", null],
    ["cam", null],
  ]);
});

test("with zones it stays for them, and goes on when it is heard again", () => {
  const camera = createForgetful();
  camera.fold(drawn(), recorded(seen(0, OUTSIDE)), ended);

  idleAt(camera, 1_000_000);

  const { sources, zones } = everything(camera.state);
  expect([[...sources.keys()], [...zones.keys()]]).toEqual([[], ["z"]]);
  expect(takeTouched(camera.state).sources.get("cam")).toBeNull();
  camera.wait(1_000_000);
  expect(camera.fold(recorded(seen(200, INSIDE)))).toEqual(["START z 0.2-/0.2"]);
  expect([...everything(camera.state).sources.keys()]).toEqual(["cam"]);
});

test("while the log holds unread messages the log's clock decides, not the wall clock", () => {
  const camera = createForgetful();
  camera.fold(recorded(seen(0, OUTSIDE)), ended);

  idleAt(camera, 1_000_000, false);
  expect(camera.state.sources.size).toBe(1);

  camera.fold(recordedBy("far", seen(101 + FORGET_MS, OUTSIDE, { trackId: "u" })));
  idleAt(camera, 0, false);
  expect([...camera.state.sources.keys()]).toEqual(["far"]);
});

test("what is live or held keeps its data source", () => {
  const live = createForgetful();
  const holding = createForgetful(1_000);
  live.fold(recorded(seen(0, INSIDE)));
  holding.fold(updated({ endTime: T0, detections: [] }));

  for (const camera of [live, holding]) idleAt(camera, 1_000_000);

  expect([live.state.sources.size, live.state.tracks.size, holding.state.sources.size]).toEqual([1, 1, 1]);
});

test("an expiry that comes for a forgotten data source does not bring it back", () => {
  const camera = createForgetful();
  camera.fold(recorded(seen(0, OUTSIDE)), ended);
  idleAt(camera, 1_000_000);

  camera.fold(expired(100));

  expect([camera.state.sources.size, camera.state.tracks.size]).toEqual([0, 0]);
});

test("one call frees a portion, so that a thousand finished imports do not hold up the others", () => {
  const camera = createCamera({ forgetAfterMs: FORGET_MS });
  for (let i = 0; i < 250; i++) {
    const id = { trackId: `t${i}`, dataSourceId: `cam ${i}` };
    camera.fold(created(id), updated({ ...id, endTime: T0, detections: [seen(0, OUTSIDE, id)] }));
  }

  const left: number[][] = [];
  while (camera.state.sources.size > 0 && left.length < 10) {
    idleAt(camera, 1_000_000, true, 100);
    left.push([camera.state.tracks.size, camera.state.sources.size]);
  }

  expect(left).toEqual([
    [150, 150],
    [50, 50],
    [0, 0],
  ]);
});

test("a portion is one of work: a track with a long past counts for everything that goes with it", () => {
  const camera = createCamera({ forgetAfterMs: FORGET_MS });
  for (const dataSourceId of ["cam", "other"]) {
    camera.fold(drawn({ dataSourceId, zoneId: `z of ${dataSourceId}` }));
    for (let i = 0; i < 20; i++) camera.fold(recordedBy(dataSourceId, seen(i * 100, i % 2 === 0 ? INSIDE : OUTSIDE)));
    camera.fold(updated({ dataSourceId, endTime: T0 + 2_000, detections: [] }));
  }

  idleAt(camera, 1_000_000, true, 10);

  expect(camera.state.resting.size).toBe(1);
});

test.each([0, 2_000])(
  "when memory is freed, and by whom, changes nothing that follows (reorder %i ms)",
  (reorderMs) => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = createRandom(seed);
      const calm = createForgetful(reorderMs);
      const nervous = createForgetful(reorderMs);

      for (const message of randomLog(random, 300)) {
        calm.fold(message);
        nervous.fold(message);
        if (random() < 0.2) idleAt(nervous, nervous.state.recordedAt - T0, false);
        if (random() > 0.02) continue;
        const pause = random() * 2 * (FORGET_MS + CLOCK_DIFFERENCE_MS);
        calm.wait(pause);
        nervous.wait(pause);
        idleAt(nervous, nervous.state.recordedAt - T0 + pause);
        if (random() < 0.5) nervous.state = handedOver(nervous);
      }

      expect(nervous.out, `seed ${seed}`).toEqual(calm.out);
      for (const camera of [calm, nervous]) {
        camera.fold(drawn());
        idleAt(camera, 0, false, Number.POSITIVE_INFINITY);
      }
      expect(calm.state.tracks.size, `seed ${seed}`).toBeGreaterThan(0);
      expect(sorted(nervous), `seed ${seed}`).toEqual(sorted(calm));
    }
  },
);

/** The state that another owner loads from the store. */
const handedOver = ({ state }: Camera) => restore(3, storedOf(state));

const sorted = ({ state }: Camera) =>
  Object.values(everything(state)).map((texts: Map<string, string | null>) =>
    [...texts].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
