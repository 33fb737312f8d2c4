// Whether flat rings make a polygon whose inside is the same for everyone who reads it.
import Flatbush from "flatbush";
import { isWithin, prepareArea } from "./live/area.ts";
import { meetsItself, type Ring } from "./self-intersection.ts";

/** @returns why the rings are no polygon, undefined if they are one. They are closed, of four or more points. */
export function flawOfRings(rings: readonly Ring[]): string | undefined {
  if (meetsItself(rings)) return "the polygon intersects itself";
  return areHolesApart(rings) ? undefined : "a hole lies outside the first ring, or within another hole";
}

/** Rings that do not meet lie within each other as their first points do. */
function areHolesApart(rings: readonly Ring[]): boolean {
  if (rings.length < 2) return true;
  const areas = rings.map((ring) => prepareArea([ring]));
  const tree = new Flatbush(areas.length);
  for (const { minX, minY, maxX, maxY } of areas) tree.add(minX, minY, maxX, maxY);
  tree.finish();
  return rings.every(([x = Number.NaN, y = Number.NaN], i) => {
    const around = tree.search(x, y, x, y).filter((j) => j !== i && isInArea(j, x, y));
    return i === 0 ? around.length === 0 : around.length === 1 && around[0] === 0;
  });

  function isInArea(j: number, x: number, y: number): boolean {
    const area = areas[j];
    return area !== undefined && isWithin(area, x, y);
  }
}
