// ISO 8601 date and time with offset. Date.parse alone would accept 2026-02-30, a missing offset and much more.
import { MINUTE_MS } from "./units.ts";

const FORM = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)$/;

/** 9999-12-31T23:59:59.999Z and 0000-01-01T00:00:00.000Z: beyond them ISO 8601 needs more digits. */
export const LATEST_MS = 253_402_300_799_999;
export const EARLIEST_MS = -62_167_219_200_000;

/**
 * The time in milliseconds since the epoch. Further digits are cut off.
 * @returns undefined when the text is no such time.
 */
export function parseDateTime(text: string): number | undefined {
  return parseUsual(text) ?? parseAny(text);
}

/** Length of the usual form, `2026-01-01T00:00:00.000Z`. */
export const USUAL_LENGTH = 24;
const scratch = Buffer.alloc(USUAL_LENGTH);

/**
 * Reads the usual form.
 * @returns undefined also for days that need a calendar.
 */
function parseUsual(text: string): number | undefined {
  if (text.length !== USUAL_LENGTH || scratch.write(text) !== USUAL_LENGTH) return undefined;
  return parseUsualTime(scratch, 0);
}

/**
 * Reads the usual form from bytes, beginning with this one.
 * @returns undefined for another form, and for days that need a calendar.
 */
export function parseUsualTime(bytes: Uint8Array, from: number): number | undefined {
  if (bytes[from + 23] !== 90 || bytes[from + 10] !== 84) return undefined;
  if (bytes[from + 4] !== 45 || bytes[from + 7] !== 45 || bytes[from + 19] !== 46) return undefined;
  if (bytes[from + 13] !== 58 || bytes[from + 16] !== 58) return undefined;
  const year = twoDigits(bytes, from) * 100 + twoDigits(bytes, from + 2);
  const month = twoDigits(bytes, from + 5);
  const day = twoDigits(bytes, from + 8);
  const hour = twoDigits(bytes, from + 11);
  const minute = twoDigits(bytes, from + 14);
  const second = twoDigits(bytes, from + 17);
  // The digits are at 20, 21 and 22: two overlapping pairs, of which the first gives only its tens.
  const ms = Math.trunc(twoDigits(bytes, from + 20) / 10) * 100 + twoDigits(bytes, from + 21);
  // The comparisons fail for NaN, which twoDigits returns for a byte that is no digit.
  const usual = year >= 1900 && month >= 1 && month <= 12 && day >= 1 && day <= 28;
  if (!(usual && hour <= 23 && minute <= 59 && second <= 59 && ms <= 999)) return undefined;
  return Date.UTC(year, month - 1, day, hour, minute, second, ms);
}

/** @returns NaN when one of the two bytes is no digit. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] ?? 0) - 48;
  const ones = (bytes[at + 1] ?? 0) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

function parseAny(text: string): number | undefined {
  const parts = FORM.exec(text);
  if (parts === null) return undefined;
  const [
    ,
    year = "",
    month = "",
    day = "",
    hour,
    minute,
    second = "00",
    fraction = "",
    sign,
    offsetHour,
    offsetMinute,
  ] = parts;
  if (Number(month) > 12 || Number(day) > daysIn(Number(year), Number(month)) || day === "00") return undefined;
  if (Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) return undefined;
  const ms = fraction.padEnd(3, "0").slice(0, 3);
  // ISO 8601 no longer has 24:00, but Date.parse accepts it.
  if (hour === "24") return undefined;
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  if (Number.isNaN(local)) return undefined;
  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * MINUTE_MS;
  const time = sign === "-" ? local + offset : local - offset;
  return time >= EARLIEST_MS && time <= LATEST_MS ? time : undefined;
}

const DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return leap ? 29 : (DAYS[month] ?? 0);
}
