// Checks the rules of a filter that GraphQL's types cannot express. It runs once per operation, before any evaluation,
// so that a bad filter is refused even when there is nothing to filter.
import { checkCoordinate } from "../../schemas/checks.ts";
import { badInput, type InputPath, refuse } from "../../schemas/errors.ts";
import { flawOfRings } from "../geometry/rings.ts";

/** The maximum number of names and indexes on the path to a member: enough for about fifteen filters within filters. */
const MAX_PATH = 40;

/**
 * Longitudes up to one full turn beyond the meridian are accepted, because maps continue beyond 180 degrees. Farther
 * out, the test in memory and ClickHouse measure different distances.
 */
const MAX_LONGITUDE = 360;
const MAX_LATITUDE = 90;

/** Throws BAD_USER_INPUT with the path of the member at fault. */
export function checkFilter(filter: unknown, path: InputPath = ["filter"]): void {
  if (typeof filter !== "object" || filter === null) return;
  if (path.length > MAX_PATH) throw badInput("the filter is nested too deeply", path);
  for (const [name, member] of Object.entries(filter)) checkMember(name, member, [...path, name]);
}

function checkMember(name: string, member: unknown, path: InputPath): void {
  if (member === null || typeof member !== "object") return;
  if (name === "between" && Array.isArray(member) && member.length !== 2)
    throw badInput("between takes two values", path);
  if (name === "near") checkNear(member, path);
  if (name === "coordinates") return;
  if (name === "in" && "coordinates" in member) checkRings(member.coordinates, [...path, "coordinates"]);
  else if (!Array.isArray(member)) checkFilter(member, path);
  // A list of ids may be long, so its texts are skipped.
  else for (const [i, each] of member.entries()) if (typeof each === "object") checkFilter(each, [...path, i]);
}

function checkNear(near: object, path: InputPath): void {
  const radius = "radius" in near ? near.radius : undefined;
  if (typeof radius === "number" && !(radius >= 0)) throw badInput("a radius is 0 or more", [...path, "radius"]);
  const point = "point" in near && typeof near.point === "object" && near.point !== null ? near.point : {};
  if ("coordinates" in point) checkCentre(point.coordinates, [...path, "point", "coordinates"]);
}

function checkCentre(point: unknown, path: InputPath): void {
  const [longitude, latitude] = checkPoint(point, path);
  if (Math.abs(longitude) > MAX_LONGITUDE)
    throw badInput(`a longitude lies between -${MAX_LONGITUDE} and ${MAX_LONGITUDE}`, path);
  if (Math.abs(latitude) > MAX_LATITUDE)
    throw badInput(`a latitude lies between -${MAX_LATITUDE} and ${MAX_LATITUDE}`, path);
}

function checkRings(rings: unknown, path: InputPath): void {
  if (!Array.isArray(rings) || rings.length === 0) throw badInput("a polygon needs a ring", path);
  for (const [i, ring] of rings.entries()) {
    if (!Array.isArray(ring) || ring.length < 4) throw badInput("a ring needs four or more points", [...path, i]);
    for (const [j, point] of ring.entries()) checkPoint(point, [...path, i, j]);
    const [start, end] = [ring[0], ring.at(-1)];
    if (start[0] !== end[0] || start[1] !== end[1]) throw badInput("the ring is not closed", [...path, i]);
  }
  const flaw = flawOfRings(rings.map((ring) => ring.flatMap(([x, y]: [number, number]) => [x, y])));
  if (flaw !== undefined) throw badInput(flaw, path);
}

function checkPoint(point: unknown, path: InputPath): [number, number] {
  if (!Array.isArray(point) || point.length < 2) throw badInput("a point needs longitude and latitude", path);
  for (const coordinate of point) refuse(checkCoordinate(coordinate), path);
  return [point[0], point[1]];
}
