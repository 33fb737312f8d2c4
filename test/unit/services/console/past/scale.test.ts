import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../../schemas/units.ts";
import {
  lengthOf,
  movedRange,
  offsetsOf,
  rangeOf,
  rangeUntil,
  shareOf,
  showing,
  ticksOf,
  timeAt,
  zoomedRange,
} from "../../../../../services/console/past/scale.ts";

const at = (text: string) => Date.parse(text);
const LATEST = at("2026-06-02T00:00:00Z");
const hour = rangeUntil(at("2026-06-01T12:00:00Z"), HOUR_MS);

describe("the range", () => {
  test("a moment has a share, and a share has a moment", () => {
    expect(shareOf(hour, at("2026-06-01T11:15:00Z"))).toBe(0.25);
    expect(timeAt(hour, 0.25)).toBe(at("2026-06-01T11:15:00Z"));
  });

  test("a zoom keeps the place of the moment under the pointer", () => {
    const pointer = timeAt(hour, 0.3);

    const zoomed = zoomedRange(hour, 0.5, pointer, LATEST);

    expect(lengthOf(zoomed)).toBe(HOUR_MS / 2);
    expect(shareOf(zoomed, pointer)).toBeCloseTo(0.3);
  });

  test("a zoom ends at a minute and at a year", () => {
    expect(lengthOf(zoomedRange(hour, 1e-9, hour.from, LATEST))).toBe(MINUTE_MS);
    expect(lengthOf(zoomedRange(hour, 1e9, hour.from, LATEST))).toBe(366 * DAY_MS);
  });

  test("neither a zoom nor a move shows the future", () => {
    expect(zoomedRange(rangeUntil(LATEST, HOUR_MS), 2, LATEST - HOUR_MS, LATEST).to).toBe(LATEST);
    expect(movedRange(rangeUntil(LATEST, HOUR_MS), HOUR_MS, LATEST)).toEqual(rangeUntil(LATEST, HOUR_MS));
  });

  test("it moves only as far as shows a moment outside", () => {
    expect(showing(hour, hour.from, LATEST)).toBe(hour);
    expect(showing(hour, hour.from - 1, LATEST).from).toBe(hour.from - 1 - HOUR_MS / 10);
    expect(showing(hour, hour.to + 1, LATEST).to).toBe(hour.to + 1 + HOUR_MS / 10);
  });

  test("a link gives no range that is empty, backwards or longer than a year", () => {
    expect(rangeOf(0, HOUR_MS)).toEqual({ from: 0, to: HOUR_MS });
    expect(rangeOf(HOUR_MS, 0)).toBeUndefined();
    expect(rangeOf(0, 400 * DAY_MS)).toBeUndefined();
  });
});

describe("ticks", () => {
  const utc = () => 0;
  const texts = (range: { from: number; to: number }, most: number, zone: string) =>
    ticksOf(range, most, offsetsOf(zone)).times.map((ms) => new Date(ms).toISOString());

  test("they are round, within the range, and not too many", () => {
    const { stepMs, times } = ticksOf(hour, 7, utc);

    expect(stepMs).toBe(10 * MINUTE_MS);
    expect(times).toHaveLength(7);
    expect(times.every((time) => time % stepMs === 0)).toBe(true);
  });

  test("the range of a year has few of them, and one of a minute some", () => {
    expect(ticksOf({ from: LATEST - 366 * DAY_MS, to: LATEST }, 4, utc).times.length).toBeLessThanOrEqual(5);
    expect(ticksOf({ from: LATEST - MINUTE_MS, to: LATEST }, 12, utc).times.length).toBeGreaterThan(5);
  });

  test("days begin at the midnight of the zone", () => {
    const week = { from: at("2026-01-01T12:00:00Z"), to: at("2026-01-03T12:00:00Z") };

    expect(texts(week, 3, "Asia/Kolkata")).toEqual(["2026-01-01T18:30:00.000Z", "2026-01-02T18:30:00.000Z"]);
  });

  test("days begin at midnight on both sides of a change of the clocks", () => {
    const days = { from: at("2026-03-28T12:00:00Z"), to: at("2026-03-30T12:00:00Z") };

    expect(texts(days, 3, "Europe/Amsterdam")).toEqual(["2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"]);
  });

  test("zones west of Greenwich and UTC itself have offsets", () => {
    expect(offsetsOf("America/St_Johns")(at("2026-01-01T00:00:00Z"))).toBe(-3.5 * HOUR_MS);
    expect(offsetsOf("UTC")(0)).toBe(0);
  });
});
