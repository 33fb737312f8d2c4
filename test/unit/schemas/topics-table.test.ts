// The README's table of topics is generated from schemas/topics.ts; `npm run test:unit -- topics-table -u` writes it
// anew.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { catalogTypes } from "../../../schemas/catalog/kinds.ts";
import { type Topic, topics, topicsOf } from "../../../schemas/topics.ts";

const README = new URL("../../../README.md", import.meta.url).pathname;
const DAY_MS = 86_400_000;

const retentionOf = (name: Topic, cameraLogDays: number) =>
  topicsOf("", 12, cameraLogDays * DAY_MS).find((topic) => topic.name === name)?.retentionMs;

function row(name: Topic): string {
  const { key, records, writers, readers, partitions, cleanup, retentionMs } = topics[name];
  const follows = name !== "camera-log" && retentionOf(name, 30) !== retentionOf(name, 1);
  const days =
    retentionMs === -1 ? "for ever" : `${retentionMs / DAY_MS} days${follows ? ", or as the camera-log" : ""}`;
  const kept = cleanup === "delete" ? days : "the newest of each key";
  // A further kind of entity does not change the topic.
  const names = records === catalogTypes ? "one per kind of entity" : records.join(", ");
  const cells = [name, key, names, writers.join(", "), readers.join(", "), partitions, kept];
  return `| ${cells.join(" | ")} |`;
}

function table(): string {
  const head = ["topic", "key", "records", "written by", "read by", "partitions", "kept"];
  const names = Object.keys(topics) as Topic[];
  return [`| ${head.join(" | ")} |`, `|${"---|".repeat(head.length)}`, ...names.map(row)].join("\n");
}

test("what a rebuild reads is kept as long as the camera-log, and never for less than its own time", () => {
  const kept = (cameraLogDays: number) =>
    (["camera-log", "zone-intersections", "geofence-intersections", "measurements", "signals"] as const).map(
      (name) => (retentionOf(name, cameraLogDays) ?? 0) / DAY_MS,
    );

  expect(kept(14)).toEqual([14, 14, 14, 14, 1]);
  expect(kept(1)).toEqual([1, 7, 7, 7, 1]);
});

test("the README has the table of topics as it is", async () => {
  const readme = readFileSync(README, "utf8");
  const between = /(?<=<!-- topics: .*-->\n).*(?=\n<!-- \/topics -->)/s;

  expect(readme).toMatch(between);
  await expect(readme.replace(between, table())).toMatchFileSnapshot(README);
});
