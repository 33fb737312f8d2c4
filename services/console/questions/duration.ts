import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../schemas/units.ts";

const DURATION = /^P(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const UNITS_MS = [DAY_MS, HOUR_MS, MINUTE_MS, 1_000] as const;

/**
 * Reads a duration of the interface, such as PT1M30S, in milliseconds.
 * @returns null when it is none. Durations of the interface have no months or years.
 */
export function durationMs(text: string): number | null {
  const match = DURATION.exec(text);
  if (match === null) return null;
  const lengths = UNITS_MS.map((ms, i) => Number(match[i + 1] ?? 0) * ms);
  return Math.round(lengths.reduce((sum, each) => sum + each, 0));
}
