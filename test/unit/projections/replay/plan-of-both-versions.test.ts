import { expect, test } from "vitest";
import { parseSession, plannedFields, type Segment } from "../../../../projections/replay/session.ts";

const segment: Segment = {
  partition: 3,
  tracks: [
    { dataSourceId: "cam", trackId: "a" },
    { dataSourceId: "other", trackId: "a" },
    { dataSourceId: "cam", trackId: "b" },
  ],
  dataSourceIds: ["cam", "other"],
  log: "topic",
  begin: 10,
  end: 20,
  beginAt: 1_000,
  lastAt: 2_000,
  recorded: [{ from: 1_000, to: 2_000 }],
  eventFrom: 900,
  eventTo: 1_900,
};

test("an instance of the version before finds in a plan what it reads of it", () => {
  const { plan = "" } = plannedFields([segment]);

  expect(JSON.parse(plan)).toEqual([
    expect.objectContaining({
      partition: 3,
      trackIds: ["a", "b"],
      dataSourceIds: ["cam", "other"],
      log: "topic",
      begin: 10,
      end: 20,
      beginAt: 1_000,
      lastAt: 2_000,
      recorded: [{ from: 1_000, to: 2_000 }],
      eventFrom: 900,
      eventTo: 1_900,
    }),
  ]);
});

test("an instance of this version finds the whole plan again", () => {
  const fields = { spec: "{}", ...plannedFields([segment]) };

  expect(parseSession(fields).plan).toEqual([expect.objectContaining(segment)]);
});
