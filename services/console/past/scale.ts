// The scale of a time line: the range that it shows, how it is zoomed and moved, and where its ticks are. Times are in
// milliseconds since the epoch.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../schemas/units.ts";

export interface Range {
  readonly from: number;
  readonly to: number;
}

export const WEEK_MS = 7 * DAY_MS;
const SHORTEST_MS = MINUTE_MS;
const LONGEST_MS = 366 * DAY_MS;

export const lengthOf = ({ from, to }: Range): number => to - from;

/** @returns 0 at the beginning of the range, 1 at its end. */
export const shareOf = (range: Range, at: number): number => (at - range.from) / lengthOf(range);

/** The whole millisecond at this share of the range. */
export const timeAt = (range: Range, share: number): number => Math.round(range.from + share * lengthOf(range));

/** @param latest the range ends there at the latest, so that it shows no future. */
export const rangeUntil = (latest: number, lengthMs: number): Range => ({ from: latest - lengthMs, to: latest });

/** Makes the range `factor` times as long, within limits. `at` keeps its place. */
export function zoomedRange(range: Range, factor: number, at: number, latest: number): Range {
  const wanted = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, lengthOf(range) * factor));
  const from = Math.round(at - shareOf(range, at) * wanted);
  return endedBy({ from, to: from + Math.round(wanted) }, latest);
}

export const movedRange = ({ from, to }: Range, byMs: number, latest: number): Range =>
  endedBy({ from: from + byMs, to: to + byMs }, latest);

/** Moves the range as little as shows `at`. */
export function showing(range: Range, at: number, latest: number): Range {
  if (at < range.from) return movedRange(range, at - range.from - lengthOf(range) / 10, latest);
  return at > range.to ? movedRange(range, at - range.to + lengthOf(range) / 10, latest) : range;
}

/** @returns undefined for a range that a link cannot have meant. */
export function rangeOf(from: number, to: number): Range | undefined {
  const length = to - from;
  return length >= SHORTEST_MS && length <= LONGEST_MS ? { from, to } : undefined;
}

const endedBy = (range: Range, latest: number): Range =>
  range.to > latest ? rangeUntil(latest, lengthOf(range)) : range;

const TICK_STEPS_MS = [
  5_000,
  10_000,
  30_000,
  ...[1, 2, 5, 10, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY_MS),
  ...[56, 112].map((days) => days * DAY_MS),
];

export interface Ticks {
  readonly stepMs: number;
  readonly times: readonly number[];
}

/**
 * Round times of the viewer's zone.
 * @param most the most ticks, 1 or more.
 * @param offsetAt what the clocks of the zone show beyond UTC, in milliseconds.
 */
export function ticksOf(range: Range, most: number, offsetAt: (at: number) => number): Ticks {
  const stepMs =
    TICK_STEPS_MS.find((step) => lengthOf(range) / step <= most) ?? TICK_STEPS_MS.at(-1) ?? lengthOf(range);
  const times: number[] = [];
  const first = range.from + offsetAt(range.from);
  // One more step at each end, because the offset may change within the range.
  for (let local = (Math.ceil(first / stepMs) - 1) * stepMs; times.length <= most + 1; local += stepMs) {
    const at = utcOf(local, offsetAt);
    if (at > range.to) break;
    if (at >= range.from && at !== times.at(-1)) times.push(at);
  }
  return { stepMs, times };
}

function utcOf(local: number, offsetAt: (at: number) => number): number {
  const near = local - offsetAt(local);
  return local - offsetAt(near);
}

/** @param zone IANA name. */
export function offsetsOf(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  return (at) => {
    const name = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours = "0", minutes = "0"] = /^GMT([+-])(\d+):?(\d*)/.exec(name) ?? [];
    const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
    return sign === "-" ? -size : size;
  };
}
