import { expect, test } from "vitest";
import { askedOf } from "../../../../../services/console/questions/address.ts";
import { questionOf } from "../../../../../services/console/questions/kinds.ts";

const bucket = (dataSource: object | null) => ({ key: { time: null, dataSource }, total: 1 });

test("cameras of one name have a row and a bar each, with their name", () => {
  const buckets = [bucket({ id: "a", name: "Gate" }), bucket({ id: "b", name: "Gate" }), bucket(null)];
  const asked = askedOf(new URLSearchParams("of=count-detections&by=camera"));
  const page = questionOf("count-detections").read({ detectionsSummary: { total: 3, buckets } }, asked);

  expect(new Set(page.rows.map(({ id }) => id)).size).toBe(3);
  expect(page.buckets?.map(({ key, group }) => [key, group])).toEqual([
    ["a", "Gate"],
    ["b", "Gate"],
    ["", "none"],
  ]);
});
