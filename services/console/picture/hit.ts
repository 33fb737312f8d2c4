// Finds the thing that lies under a point of the image.
import { areaOf, isInBox, isInRings } from "./rings.ts";
import type { Scene, SceneObject, SceneZone } from "./scene.ts";
import type { Box, Point } from "./view.ts";

export type Hit =
  | { readonly kind: "object"; readonly object: SceneObject }
  | { readonly kind: "zone"; readonly zone: SceneZone };

/**
 * The smallest object there, else the smallest zone: a small thing in front of a large one can be reached.
 * @param reach how far beside an object the point may be, in pixels of the image.
 */
export function hitOf(scene: Scene, at: Point, reach: number): Hit | undefined {
  const objects = [...scene.objects.values()].filter(({ box }) => isInBox(grown(box, reach), at));
  const object = smallest(objects, ({ box }) => sizeOf(box));
  if (object !== undefined) return { kind: "object", object };
  const zones = scene.zones.filter(({ rings }) => isInRings(rings, at));
  const zone = smallest(zones, ({ rings }) => areaOf(rings[0] ?? []));
  return zone === undefined ? undefined : { kind: "zone", zone };
}

const sizeOf = ([left, top, right, bottom]: Box): number => (right - left) * (bottom - top);

const grown = ([left, top, right, bottom]: Box, by: number): Box => [left - by, top - by, right + by, bottom + by];

function smallest<Thing>(things: readonly Thing[], sizeOfThing: (thing: Thing) => number): Thing | undefined {
  let [best, size]: [Thing | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const thing of things) {
    const its = sizeOfThing(thing);
    if (its < size) [best, size] = [thing, its];
  }
  return best;
}
