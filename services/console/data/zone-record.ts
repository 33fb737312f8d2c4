// A zone as the API answers it and as people edit it, and what becomes of it when two people change it. Pure.
import type { SceneZone } from "../picture/scene.ts";
import type { Point, Ring } from "../picture/view.ts";

export interface ZoneRecord {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly polygon: {
    readonly coordinates: readonly (readonly (readonly number[])[])[];
    readonly crs: object | null;
  };
  readonly updatedAt: string | null;
}

/** A zone as somebody has saved it; undefined when it was deleted. */
export interface OwnChange {
  readonly id: string;
  readonly zone: ZoneRecord | undefined;
}

/** @returns the zones after the change. */
export function withOwnChange(zones: readonly SceneZone[], { id, zone }: OwnChange): readonly SceneZone[] {
  const others = zones.filter((each) => each.id !== id);
  if (zone === undefined) return others;
  const { name, active, updatedAt } = zone;
  const changed: SceneZone = { id, name, rings: contentOf(zone).rings, isActive: active, updatedAt };
  return others.length === zones.length ? [...zones, changed] : zones.map((each) => (each.id === id ? changed : each));
}

/** The part of a zone that people change. */
export interface ZoneContent {
  readonly name: string;
  readonly active: boolean;
  /** Without closing points. */
  readonly rings: readonly Ring[];
}

export type ZoneField = keyof ZoneContent;

/** Members of UpdateZoneInput. */
export interface ZonePatch {
  readonly name?: string;
  readonly active?: boolean;
  readonly polygon?: object;
}

export const contentOf = ({ name, active, polygon }: ZoneRecord): ZoneContent => ({
  name,
  active,
  rings: polygon.coordinates.map(openRing),
});

function openRing(points: readonly (readonly number[])[]): Ring {
  const ring = points.map(([x = 0, y = 0]): Point => [x, y]);
  const [first, last] = [ring[0], ring.at(-1)];
  return ring.length > 1 && first?.[0] === last?.[0] && first?.[1] === last?.[1] ? ring.slice(0, -1) : ring;
}

/** @param crs that of the zone before, which the API would else drop. */
export const polygonOf = (rings: readonly Ring[], crs: object | null = null): object => ({
  type: "Polygon",
  coordinates: rings.map((ring) => [...ring, ...ring.slice(0, 1)]),
  ...(crs === null ? {} : { crs }),
});

/** Only what differs: the API then leaves other people's changes of other fields alone. */
export function patchOf(before: ZoneRecord, after: ZoneContent): ZonePatch {
  const isChanged = changedFields(contentOf(before), after);
  return {
    ...(isChanged.includes("name") && { name: after.name }),
    ...(isChanged.includes("active") && { active: after.active }),
    ...(isChanged.includes("rings") && { polygon: polygonOf(after.rings, before.polygon.crs) }),
  };
}

export interface Merged {
  /** Mine, with what only the other person changed. */
  readonly content: ZoneContent;
  /** Fields that the other person changed, and I did not. */
  readonly taken: readonly ZoneField[];
  /** Fields that both changed, to different values. Mine is in `content`. */
  readonly conflicts: readonly ZoneField[];
}

/** @param base what both began with. */
export function merged(base: ZoneContent, mine: ZoneContent, theirs: ZoneContent): Merged {
  const theirFields = changedFields(base, theirs);
  const myFields = changedFields(base, mine);
  const conflicts = theirFields.filter((field) => myFields.includes(field) && !isEqual(mine[field], theirs[field]));
  const taken = theirFields.filter((field) => !myFields.includes(field));
  return { content: withFields(mine, theirs, taken), taken, conflicts };
}

export const withFields = (content: ZoneContent, from: ZoneContent, fields: readonly ZoneField[]): ZoneContent => ({
  name: fields.includes("name") ? from.name : content.name,
  active: fields.includes("active") ? from.active : content.active,
  rings: fields.includes("rings") ? from.rings : content.rings,
});

export const changedFields = (before: ZoneContent, after: ZoneContent): readonly ZoneField[] =>
  (["name", "active", "rings"] as const).filter((field) => !isEqual(before[field], after[field]));

/** Rings are small, and compared only when somebody saves or has saved. */
const isEqual = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** For people. */
export const FIELD_NAMES: Readonly<Record<ZoneField, string>> = {
  name: "name",
  active: "switch",
  rings: "boundary",
};
