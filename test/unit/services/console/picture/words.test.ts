import { expect, test } from "vitest";
import type { Scene, SceneObject, SceneZone } from "../../../../../services/console/picture/scene.ts";
import { wordsOfHit } from "../../../../../services/console/picture/words.ts";

const object = { trackId: "walker", tag: "person", at: 0 } as SceneObject;
const zone = { id: "z", name: "Door", isActive: true } as SceneZone;
const sceneAt = (at: number): Scene => ({
  at,
  objects: new Map([["walker", { ...object, at }]]),
  zones: [zone],
  stays: [{ trackId: "walker", zoneId: "z", since: 0 }],
});

test("the words for an object stay the same while only time passes", () => {
  const hit = { kind: "object", object } as const;

  expect(wordsOfHit(hit, sceneAt(1_000))).toBe("person walker, in Door");
  expect(wordsOfHit(hit, sceneAt(2_000))).toBe("person walker, in Door");
  expect(wordsOfHit(hit, { ...sceneAt(2_000), stays: [] })).toBe("person walker");
});

test("the words for a zone say when it is not active", () => {
  expect(wordsOfHit({ kind: "zone", zone }, sceneAt(0))).toBe("Door");
  expect(wordsOfHit({ kind: "zone", zone: { ...zone, isActive: false } }, sceneAt(0))).toBe("Door, not active");
});
