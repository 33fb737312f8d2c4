import { expect, test } from "vitest";
import { type Crossing, Crossings } from "../../../../../services/console/data/crossings.ts";

const crossing = (stayId: string, at: number, isEnd = false): Crossing => ({
  stayId,
  isEnd,
  at,
  since: 0,
  trackId: "t",
  tag: "Person",
  zoneId: "z",
  zoneName: "Door",
});

const shown = ({ newest }: Crossings) =>
  newest.map(({ stayId, isEnd, at }) => `${stayId} ${isEnd ? "end" : "start"} ${at}`);

test("the newest is first, whatever the order of arrival, and none is there twice", () => {
  const crossings = new Crossings();

  for (const each of [crossing("a", 10), crossing("b", 30), crossing("a", 20, true), crossing("b", 30)])
    crossings.add(each);

  expect(shown(crossings)).toEqual(["b start 30", "a end 20", "a start 10"]);
});

test("an end with another time replaces the one before", () => {
  const crossings = new Crossings();
  crossings.add(crossing("a", 20, true));

  crossings.add(crossing("a", 25, true));

  expect(shown(crossings)).toEqual(["a end 25"]);
});

test("an end that is taken back leaves the list, its start does not", () => {
  const crossings = new Crossings();
  crossings.add(crossing("a", 10));
  crossings.add(crossing("a", 20, true));

  crossings.takeBackEnd("a");

  expect(shown(crossings)).toEqual(["a start 10"]);
});

test("the list keeps the 100 newest", () => {
  const crossings = new Crossings();

  for (let i = 0; i < 150; i++) crossings.add(crossing(`s${i}`, i));
  crossings.add(crossing("old", 0));

  expect(crossings.newest).toHaveLength(100);
  expect(crossings.newest.at(-1)?.stayId).toBe("s50");
});
