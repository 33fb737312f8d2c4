import { expect, test } from "vitest";
import { hitOf } from "../../../../../services/console/picture/hit.ts";
import type { Scene, SceneObject, SceneZone } from "../../../../../services/console/picture/scene.ts";
import type { Box } from "../../../../../services/console/picture/view.ts";

const object = (trackId: string, box: Box) => [trackId, { trackId, box } as SceneObject] as const;
const zone = (id: string, [left, top, right, bottom]: Box): SceneZone => ({
  ...{ id, name: id, isActive: true, updatedAt: null },
  rings: [
    [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
      [left, top],
    ],
  ],
});

const SCENE: Scene = {
  objects: new Map([object("large", [0, 0, 100, 100]), object("small", [40, 40, 60, 60])]),
  zones: [zone("hall", [0, 0, 400, 400]), zone("door", [200, 200, 300, 300])],
  stays: [],
  at: 0,
};

test("an object in front of a larger one can be pointed at", () => {
  expect(hitOf(SCENE, [50, 50], 0)).toMatchObject({ kind: "object", object: { trackId: "small" } });
  expect(hitOf(SCENE, [10, 10], 0)).toMatchObject({ kind: "object", object: { trackId: "large" } });
});

test("a point beside an object is within reach", () => {
  expect(hitOf(SCENE, [103, 50], 4)).toMatchObject({ kind: "object", object: { trackId: "large" } });
  expect(hitOf(SCENE, [105, 50], 4)).toMatchObject({ kind: "zone" });
});

test("where no object is, it is the smallest zone", () => {
  expect(hitOf(SCENE, [250, 250], 0)).toMatchObject({ kind: "zone", zone: { id: "door" } });
  expect(hitOf(SCENE, [350, 350], 0)).toMatchObject({ kind: "zone", zone: { id: "hall" } });
  expect(hitOf(SCENE, [500, 500], 0)).toBeUndefined();
});
