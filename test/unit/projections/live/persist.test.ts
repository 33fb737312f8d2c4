import { expect, test } from "vitest";
import { stamp, type Touched, takeTouched, textKinds } from "../../../../projections/live/partition.ts";
import { everything, restore } from "../../../../projections/live/persist.ts";
import { createCamera, created, drawn, INSIDE, OUTSIDE, recorded, seen } from "./camera.ts";
import { below, createRandom, randomLog } from "./random-log.ts";

type Store = Record<keyof Touched, Map<string, string>>;

function write(store: Store, touched: Touched): void {
  for (const kind of textKinds) {
    for (const [id, json] of touched[kind]) {
      if (json === null) store[kind].delete(id);
      else store[kind].set(id, json);
    }
  }
}

const emptyStore = (): Store => ({ tracks: new Map(), sources: new Map(), zones: new Map(), past: new Map() });

const sorted = (touched: Touched) =>
  Object.values(touched).map((texts: Map<string, string | null>) => [...texts].sort(([a], [b]) => (a < b ? -1 : 1)));

const reversed = (texts: Map<string, string>): string[] => [...texts.values()].reverse();

test.each([0, 2_000])("a restored state goes on as if nothing had happened (reorder %i ms)", (reorderMs) => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = createRandom(seed);
    const log = randomLog(random, 300);
    const cut = below(random, log.length);
    const settings = { reorderMs, forgetAfterMs: 60_000, rememberedTracks: 4 };
    const straight = createCamera(settings);
    const interrupted = createCamera(settings);
    const store = emptyStore();

    straight.fold(...log);
    for (const [i, message] of log.entries()) {
      interrupted.fold(message);
      if (random() < 0.2 || i === cut) write(store, takeTouched(interrupted.state));
      if (i !== cut) continue;
      const asStored = (texts: Map<string, string>) => reversed(texts).map((json) => stamp(json, i));
      const { tracks, sources, zones, past } = store;
      const ofThings = { sources: reversed(sources), zones: asStored(zones) };
      const stored = { ...ofThings, tracks: asStored(tracks), past: reversed(past) };
      interrupted.state = restore(3, stored);
    }
    write(store, takeTouched(interrupted.state));

    expect(interrupted.out, `seed ${seed}`).toEqual(straight.out);
    expect(sorted(everything(interrupted.state)), `seed ${seed}`).toEqual(sorted(everything(straight.state)));
    expect(sorted(store), `seed ${seed}`).toEqual(sorted(everything(straight.state)));
  }
});

test("folding every detection a second time changes nothing", () => {
  for (let seed = 1; seed <= 20; seed++) {
    const log = randomLog(createRandom(seed), 200);
    const once = createCamera();
    const twice = createCamera();

    for (const message of log) {
      once.fold(message);
      once.offset++;
      twice.fold(message);
      if (message.type === "DetectionsRecorded") twice.fold(message);
      else twice.offset++;
    }

    expect(twice.out.lists["zone-intersections"], `seed ${seed}`).toEqual(once.out.lists["zone-intersections"]);
    expect(sorted(everything(twice.state)).slice(0, 1)).toEqual(sorted(everything(once.state)).slice(0, 1));
  }
});

test("a batch rewrites only what it touched", () => {
  const camera = createCamera();
  camera.fold(drawn(), created(), recorded(seen(0, INSIDE), seen(0, INSIDE, { trackId: "u" })));
  takeTouched(camera.state);

  camera.fold(recorded(seen(100, INSIDE)));

  const { tracks, sources, zones } = takeTouched(camera.state);
  expect([[...tracks.keys()], [...sources.keys()], [...zones.keys()]]).toEqual([["t"], ["cam"], []]);
});

const STAYS = 600;

/** A track that has left the zone so often, with a detection each time that it enters and leaves. */
function flicker(camera: ReturnType<typeof createCamera>, from: number, stays: number): void {
  for (let i = from; i < from + stays; i++) {
    camera.fold(recorded(seen(i * 200, INSIDE)), recorded(seen(i * 200 + 100, OUTSIDE)));
  }
}

const charactersOf = (touched: Touched): number =>
  Object.values(touched)
    .flatMap((texts) => [...texts])
    .join().length;

test("a detection of a track with a long past writes neither the past again nor more than the entry that is new", () => {
  const camera = createCamera();
  camera.fold(drawn());
  flicker(camera, 0, STAYS);
  const past = everything(camera.state).past.size;
  takeTouched(camera.state);

  camera.fold(recorded(seen(STAYS * 200, INSIDE)));
  const entering = takeTouched(camera.state);
  camera.fold(recorded(seen(STAYS * 200 + 100, OUTSIDE)));
  const leaving = takeTouched(camera.state);

  expect(past).toBe(501);
  expect([entering.past.size, leaving.past.size]).toEqual([0, 1]);
  expect(charactersOf(entering)).toBeLessThan(3_000);
  expect(charactersOf(leaving)).toBeLessThan(3_000);
});

test("a state that an earlier version stored, each track with its past in one text, is read and goes on", () => {
  const camera = createCamera();
  const earlier = createCamera();
  for (const each of [camera, earlier]) {
    each.fold(drawn());
    flicker(each, 0, 20);
  }
  const { tracks, sources, zones, past } = everything(earlier.state);
  const { past: _, ...fields } = JSON.parse(tracks.get("t") ?? "");
  const { history, sequence } = earlier.state.tracks.get("t") ?? {};
  // Another version has left the text of an entry that is no longer kept.
  const left = [...past].map(([field, json]) => {
    const isMoved = field.startsWith("history 1 ");
    const number = isMoved ? { number: 499 } : {};
    return [
      field.replace("history 1 ", "history 499 "),
      JSON.stringify({ ...JSON.parse(json ?? ""), ...number }),
    ] as const;
  });

  earlier.state = restore(3, {
    tracks: [JSON.stringify({ ...fields, sequence, history })],
    sources: sources.values() as Iterable<string>,
    zones: zones.values() as Iterable<string>,
    past: left.map(([, json]) => json),
  });

  const store = emptyStore();
  for (const [field, json] of left) store.past.set(field, json);
  write(store, takeTouched(earlier.state));
  expect([...store.past].sort()).toEqual([...everything(camera.state).past].sort());
  for (const each of [camera, earlier]) flicker(each, 20, 600);
  expect(sorted(everything(earlier.state))).toEqual(sorted(everything(camera.state)));
});
