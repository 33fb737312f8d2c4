import { expect, test } from "vitest";
import { stamp, type Touched, takeTouched } from "../../../projections/live/partition.ts";
import { everything, restore } from "../../../projections/live/persist.ts";
import { createCamera, created, drawn, INSIDE, recorded, seen } from "./camera.ts";
import { below, createRandom, randomLog } from "./random-log.ts";

type Store = Record<keyof Touched, Map<string, string>>;

function write(store: Store, touched: Touched): void {
  for (const kind of ["tracks", "sources", "zones"] as const) {
    for (const [id, json] of touched[kind]) {
      if (json === null) store[kind].delete(id);
      else store[kind].set(id, json);
    }
  }
}

const emptyStore = (): Store => ({ tracks: new Map(), sources: new Map(), zones: new Map() });

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
      const { tracks, sources, zones } = store;
      const stored = { tracks: asStored(tracks), sources: reversed(sources), zones: asStored(zones) };
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

    expect(twice.out.intersections, `seed ${seed}`).toEqual(once.out.intersections);
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
