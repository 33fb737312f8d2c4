// Compares sets of intersections: exact equality, else the first difference.
import type { OracleIntersection } from "./oracle.ts";

/** One intersection of a track and a zone; times in ms since the epoch, `endTime` null while it goes on. */
export type Stay = OracleIntersection;

/** The result of each source of truth, under its name in messages. At least two. */
export type NamedSets = Readonly<Record<string, readonly Stay[]>>;

/** Sorts by track, zone and start time, as the oracle does. */
const sorted = (stays: readonly Stay[]): Stay[] =>
  [...stays].sort((a, b) => compare(keyOf(a), keyOf(b)) || (a.endTime ?? 0) - (b.endTime ?? 0));

/**
 * An intersection that is in one of the sets twice is a difference.
 * @returns undefined when all sets are the same.
 */
export function firstDifference(sets: NamedSets): string | undefined {
  const counts = Object.entries(sets).map(([name, stays]) => ({ name, stays: countByStay(stays) }));
  const all = [...new Set(counts.flatMap(({ stays }) => [...stays.keys()]))].sort(compare);
  const differing = all.filter((stay) => new Set(counts.map(({ stays }) => stays.get(stay) ?? 0)).size > 1);
  const first = differing[0];
  if (first === undefined) return undefined;
  const where = counts.map(({ name, stays }) => `${name} ${stays.get(first) ?? 0} times`).join(", ");
  const sizes = Object.entries(sets).map(([name, stays]) => `${name} ${stays.length}`);
  const related = Object.entries(sets).flatMap(([name, stays]) => relatives(name, stays, first));
  return [
    `${differing.length} of ${all.length} stays differ (${sizes.join(", ")}).`,
    `First: ${first}: ${where}.`,
    "What the sets have of this track in this zone:",
    ...related,
  ].join("\n");
}

const keyOf = ({ trackId, zoneId, startTime }: Stay): string => `${trackId} ${zoneId} ${timeOf(startTime)}`;
const describe = (stay: Stay): string =>
  `track ${stay.trackId} in zone ${stay.zoneId} from ${timeOf(stay.startTime)} to ${timeOf(stay.endTime)}`;
const timeOf = (ms: number | null): string => (ms === null ? "open" : new Date(ms).toISOString());
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function countByStay(stays: readonly Stay[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const stay of stays) counts.set(describe(stay), (counts.get(describe(stay)) ?? 0) + 1);
  return counts;
}

function relatives(name: string, stays: readonly Stay[], described: string): string[] {
  const [subject] = described.split(" from ");
  const own = sorted(stays.filter((stay) => describe(stay).startsWith(`${subject} from `)));
  return own.map(({ startTime, endTime }) => `  ${name}: ${timeOf(startTime)} to ${timeOf(endTime)}`);
}

/**
 * Compares two values of JSON. The assertions of Node and vitest compute a difference of all lines first, which takes
 * gigabytes for the states of many thousand tracks.
 * @returns undefined when they are equal, else the path of the first difference with both values.
 */
export function firstUnequal(left: unknown, right: unknown, path = ""): string | undefined {
  if (Object.is(left, right)) return undefined;
  if (!isObject(left) || !isObject(right) || Array.isArray(left) !== Array.isArray(right)) {
    return `${path}: ${textOf(left)} and ${textOf(right)}`;
  }
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const found = firstUnequal(left[key], right[key], `${path}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

const MOST_CHARACTERS = 2_000;

const textOf = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, MOST_CHARACTERS);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
