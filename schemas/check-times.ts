// Checks of the times in events.
import { type Flaw, flaw } from "./flaw.ts";
import { limits } from "./limits.ts";

/** `latest` is the last instant allowed. */
export function checkTime(time: number | null, latest: number): Flaw | undefined {
  if (time === null) return undefined;
  if (!Number.isInteger(time) || Math.abs(time) > limits.maxTimestampMs) return flaw("outside the calendar");
  return time <= latest ? undefined : flaw("too far in the future");
}

/** ClickHouse stores times from 1900 to 2299, in UTC. The very first instant is excluded. */
const EARLIEST_STORED_MS = Date.UTC(1900, 0, 1);
const LATEST_STORED_MS = Date.UTC(2300, 0, 1);

export const checkStoredTime = (ms: number): Flaw | undefined =>
  Number.isInteger(ms) && ms > EARLIEST_STORED_MS && ms < LATEST_STORED_MS
    ? undefined
    : flaw("outside the years 1900 to 2299");

/** Checks the time of a record that the history stores. */
export const checkRecordTime = (ms: number, latest: number): Flaw | undefined =>
  checkStoredTime(ms) ?? checkTime(ms, latest);
