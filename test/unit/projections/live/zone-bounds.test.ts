import { expect, test } from "vitest";
import { restore } from "../../../../projections/live/persist.ts";
import type { Zone } from "../../../../schemas/events.ts";
import { storedOf } from "../../../support/scenes/stored-state.ts";
import { createCamera, deleted, drawn, INSIDE, polygon, recorded, rectangle, redrawn, seen } from "./camera.ts";

/** A zone around x 100..200 with five vertices, or six. */
const five = (zoneId: string, overrides: Partial<Zone> = {}) => drawn({ zoneId, ...overrides });
const six = polygon([100, 0, 150, 0, 200, 0, 200, 100, 100, 100, 100, 0]);

const lastVersion = (camera: ReturnType<typeof createCamera>) => camera.out.lists.zones.at(-1)?.zone?.name ?? null;

test("a zone beyond the vertices of its data source begins nothing, and its version says that it does not stand", () => {
  const camera = createCamera({ maxSourceVertices: 10 });

  camera.fold(five("a"), five("b"), five("c"));

  expect(camera.fold(recorded(seen(0, INSIDE)))).toEqual(["START a 0-/0", "START b 0-/0"]);
  expect(camera.out.lists.zones.map(({ zoneId, zone, offset }) => [zoneId, zone !== null, offset])).toEqual([
    ["a", true, 0],
    ["b", true, 1],
    ["c", false, 2],
  ]);
});

test("a change that would grow a zone beyond leaves it as it stood, one that does not grow it is taken", () => {
  const camera = createCamera({ maxSourceVertices: 10 });
  camera.fold(five("a"), five("b"));

  camera.fold(redrawn({ zoneId: "a", polygon: six, name: "larger" }));
  expect(lastVersion(camera)).toBe("door");

  camera.fold(redrawn({ zoneId: "a", name: "renamed" }));
  expect(lastVersion(camera)).toBe("renamed");
});

test("what is deleted, moved away or made smaller leaves room, also after a restart", () => {
  const camera = createCamera({ maxSourceVertices: 10 });
  camera.fold(drawn({ zoneId: "a", polygon: six }), five("b"));
  expect(lastVersion(camera)).toBe(null);

  camera.fold(redrawn({ zoneId: "a", polygon: polygon(rectangle(0, 0, 9, 9)) }), five("b"));
  expect(lastVersion(camera)).toBe("door");

  camera.state = restore(3, storedOf(camera.state));
  camera.fold(five("c"));
  expect(lastVersion(camera)).toBe(null);

  camera.fold(deleted({ zoneId: "a", movedTo: "other" }), drawn({ zoneId: "a", dataSourceId: "other" }), five("c"));
  expect(lastVersion(camera)).toBe("door");
});

test("each data source has room of its own", () => {
  const camera = createCamera({ maxSourceVertices: 5 });

  camera.fold(five("a"), five("b", { dataSourceId: "other" }));

  expect(camera.out.lists.zones.map(({ zone }) => zone?.zoneId)).toEqual(["a", "b"]);
});
