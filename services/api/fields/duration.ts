import { HOUR_MS, MINUTE_MS } from "../../../schemas/units.ts";

/** Returns an ISO 8601 duration of hours, minutes and seconds. `ms` is 0 or more. */
export function durationText(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const seconds = (ms % MINUTE_MS) / 1_000;
  const text = `${hours > 0 ? `${hours}H` : ""}${minutes > 0 ? `${minutes}M` : ""}${seconds > 0 ? `${seconds}S` : ""}`;
  return `PT${text === "" ? "0S" : text}`;
}
