import { expect, test } from "vitest";
import { isSeenLater, type Sighting, seenLast } from "../../../../projections/track/seen-last.ts";

const of = (dataSourceId: string, lastSeen: number | null): Sighting => ({ dataSourceId, lastSeen });

const pairs: readonly [rule: string, one: Sighting, other: Sighting][] = [
  ["the later instant", of("b", 2), of("a", 1)],
  ["the smaller data source at the same instant", of("a", 1), of("b", 1)],
  ["a track with a detection, whatever its instant", of("b", -5), of("a", null)],
  ["the smaller data source of tracks without a detection", of("a", Number.NaN), of("b", null)],
  ["the smaller data source by its bytes, as the history compares", of("\uff5e", 1), of("\u{1f600}", 1)],
];

test.each(pairs)("an id alone means %s", (_rule, one, other) => {
  expect([isSeenLater(one, other), isSeenLater(other, one)]).toEqual([true, false]);
  expect(seenLast([other, one], (each) => each)).toBe(one);
  expect(seenLast([one, other], (each) => each)).toBe(one);
});

test("of no tracks none is meant", () => {
  expect(seenLast([], (each: Sighting) => each)).toBeUndefined();
});
