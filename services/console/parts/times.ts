// Times as people read them, in the zone that the user chose.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../schemas/units.ts";
import { type ServerClock, serverNow } from "../data/clock.ts";

export interface Times {
  /** IANA name. */
  readonly zone: string;
  /** For example 14:03:07. */
  clock(ms: number): string;
  /** For example 2026-11-24 14:03:07. */
  full(ms: number): string;
  /** The clock, and the date as well when it is another day than that of `dayMs`, by default today. */
  short(ms: number, dayMs?: number): string;
  /** For example 3 min 20 s. Shorter than a second: 0 s. */
  length(ms: number): string;
}

const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
const DATE = { year: "numeric", month: "2-digit", day: "2-digit" } as const;

/** @param zone IANA name; by default the browser's zone. */
export function createTimes(zone: string = Intl.DateTimeFormat().resolvedOptions().timeZone): Times {
  // The format of Sweden is that of ISO 8601.
  const clock = new Intl.DateTimeFormat("sv-SE", { ...CLOCK, timeZone: zone });
  const date = new Intl.DateTimeFormat("sv-SE", { ...DATE, timeZone: zone });
  const full = new Intl.DateTimeFormat("sv-SE", { ...DATE, ...CLOCK, timeZone: zone });
  return {
    zone,
    clock: (ms) => clock.format(ms),
    full: (ms) => full.format(ms),
    short: (ms, dayMs = serverNow()) => (date.format(ms) === date.format(dayMs) ? clock : full).format(ms),
    length: lengthText,
  };
}

/** Follows a time whose neighbours may be in the same second: `.380`, or nothing for a whole second. */
export function fractionText(ms: number): string {
  const rest = ((Math.floor(ms) % 1_000) + 1_000) % 1_000;
  return rest === 0 ? "" : `.${String(rest).padStart(3, "0")}`;
}

/** @returns undefined when the viewer's clock is right. */
export function wordsOfClock({
  isViewerWrong,
  differenceMs,
}: Pick<ServerClock, "isViewerWrong" | "differenceMs">): string | undefined {
  if (!isViewerWrong) return undefined;
  const order = differenceMs > 0 ? "behind" : "ahead of";
  const length = lengthText(roughly(Math.abs(differenceMs)));
  return `The clock of this device is ${length} ${order} that of the server. All times here are the server's.`;
}

/** Each answer changes the difference by a little, which the words should not. */
function roughly(ms: number): number {
  const step = ms >= HOUR_MS ? MINUTE_MS : ms >= MINUTE_MS ? 10_000 : 1_000;
  return Math.round(ms / step) * step;
}

const UNITS = [
  ["d", DAY_MS],
  ["h", HOUR_MS],
  ["min", MINUTE_MS],
  ["s", 1_000],
] as const;

/** The two largest units, without one that is zero. */
export function lengthText(ms: number): string {
  const first = UNITS.findIndex(([, unit]) => ms >= unit);
  if (first === -1) return "0 s";
  let rest = ms;
  const parts = UNITS.slice(first, first + 2).flatMap(([name, unit]) => {
    const count = Math.floor(rest / unit);
    rest -= count * unit;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return parts.join(" ");
}
