// Checks what GraphQL's types cannot say about a filter. Done once per operation, before any evaluation, so that a bad
// filter is refused even if there is nothing to filter.
import { checkCoordinate } from "../../schemas/checks.ts";
import { badInput, refuse } from "../../schemas/errors.ts";
import { flawOfRings } from "../rings.ts";

type Path = readonly (string | number)[];

/** Names and indexes on the way to a member: enough for about fifteen filters within filters. */
const MAX_PATH = 40;

/** Once around the Earth: maps go on beyond 180 degrees. Farther out, the two sides of the API measure different distances. */
const MAX_LONGITUDE = 360;
const MAX_LATITUDE = 90;

/** Throws BAD_USER_INPUT with the path of the member at fault. */
export function checkFilter(filter: unknown, path: Path = ["filter"]): void {
  if (typeof filter !== "object" || filter === null) return;
  if (path.length > MAX_PATH) throw badInput("the filter is nested too deeply", path);
  for (const [name, member] of Object.entries(filter)) checkMember(name, member, [...path, name]);
}

function checkMember(name: string, member: unknown, path: Path): void {
  if (member === null || typeof member !== "object") return;
  if (name === "between" && Array.isArray(member) && member.length !== 2)
    throw badInput("between takes two values", path);
  if (name === "near") checkNear(member, path);
  if (name === "coordinates") return;
  if (name === "in" && "coordinates" in member) checkRings(member.coordinates, [...path, "coordinates"]);
  else if (!Array.isArray(member)) checkFilter(member, path);
  // A list of ids may be long.
  else for (const [i, each] of member.entries()) if (typeof each === "object") checkFilter(each, [...path, i]);
}

function checkNear(near: object, path: Path): void {
  const radius = "radius" in near ? near.radius : undefined;
  if (typeof radius === "number" && !(radius >= 0)) throw badInput("a radius is 0 or more", [...path, "radius"]);
  const point = "point" in near && typeof near.point === "object" && near.point !== null ? near.point : {};
  if ("coordinates" in point) checkCentre(point.coordinates, [...path, "point", "coordinates"]);
}

function checkCentre(point: unknown, path: Path): void {
  const [longitude, latitude] = checkPoint(point, path);
  if (Math.abs(longitude) > MAX_LONGITUDE)
    throw badInput(`a longitude lies between -${MAX_LONGITUDE} and ${MAX_LONGITUDE}`, path);
  if (Math.abs(latitude) > MAX_LATITUDE)
    throw badInput(`a latitude lies between -${MAX_LATITUDE} and ${MAX_LATITUDE}`, path);
}

function checkRings(rings: unknown, path: Path): void {
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

function checkPoint(point: unknown, path: Path): [number, number] {
  if (!Array.isArray(point) || point.length < 2) throw badInput("a point needs longitude and latitude", path);
  for (const coordinate of point) refuse(checkCoordinate(coordinate), path);
  return [point[0], point[1]];
}
