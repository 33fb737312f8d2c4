import { expect, test } from "vitest";
import { parseDateTime } from "../../../schemas/date-time.ts";
import { scalars } from "../../../services/api/graphql/scalars.ts";

test.each([
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01T00:00:00.1Z", "2026-01-01T00:00:00.100Z"],
  ["2026-01-01T00:00:00.123456789Z", "2026-01-01T00:00:00.123Z"],
  ["2026-01-01T02:00:00.000+02:00", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01T02:00:00.000+0200", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01T00:00:00.000+00", "2026-01-01T00:00:00.000Z"],
  ["2025-12-31T19:30-04:30", "2026-01-01T00:00:00.000Z"],
  ["2024-02-29T12:00:00Z", "2024-02-29T12:00:00.000Z"],
  ["2000-02-29T12:00:00Z", "2000-02-29T12:00:00.000Z"],
  ["0099-01-01T00:00:00Z", "0099-01-01T00:00:00.000Z"],
  ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
])("%s is the instant %s", (text, expected) => {
  const time = parseDateTime(text);

  expect(time).toBeDefined();
  expect(scalars.DateTimeOffset.serialize(time)).toBe(expected);
});

test.each([
  "2026-01-01T00:00:00",
  "2026-01-01",
  "2026-01-01 00:00:00Z",
  "2026-02-30T00:00:00Z",
  "2026-02-29T00:00:00Z",
  "1900-02-29T00:00:00Z",
  "2026-04-31T00:00:00Z",
  "2026-00-10T00:00:00Z",
  "2026-13-10T00:00:00Z",
  "2026-01-00T00:00:00Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01T00:60:00Z",
  "2026-01-01T00:00:60Z",
  "2026-01-01T00:00:00+24:00",
  "2026-01-01T00:00:00+01:60",
  "2026-1-1T00:00:00Z",
  "+02026-01-01T00:00:00Z",
  "10000-01-01T00:00:00Z",
  "9999-12-31T23:59:59-01:00",
  "0000-01-01T00:00:00+01:00",
  "now",
  "1767225600000",
  "",
])("%s is refused", (text) => {
  expect(parseDateTime(text)).toBeUndefined();
});

test.each(["PT5M", "P1D", "P1Y2M3DT4H5M6.5S", "P2W", "-PT1S"])("%s is a duration", (text) => {
  expect(scalars.DateTimeDuration.parseValue(text)).toBe(text);
});

test.each(["", "P", "PT", "P1DT", "5M", "PT5"])("%s is no duration", (text) => {
  expect(() => scalars.DateTimeDuration.parseValue(text)).toThrow("ISO 8601");
});

test("every time that Date writes comes back, and no day that does not exist", () => {
  for (let i = 0; i < 20_000; i++) {
    const time = Date.UTC(1890, 0, 1) + i * 172_800_123 * 3;
    const text = new Date(time).toISOString();
    expect(parseDateTime(text)).toBe(text.length === 24 ? time : undefined);
  }
  for (const day of ["2026-02-29", "2026-02-30", "2026-04-31", "1900-02-29", "2026-01-00"]) {
    expect(parseDateTime(`${day}T12:00:00.000Z`)).toBeUndefined();
  }
  expect(parseDateTime("2024-02-29T12:00:00.000Z")).toBe(Date.UTC(2024, 1, 29, 12));
});
