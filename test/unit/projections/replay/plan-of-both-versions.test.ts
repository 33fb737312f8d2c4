import { expect, test } from "vitest";
import {
  newSession,
  parseSession,
  plannedFields,
  type ReplaySpec,
  type Segment,
} from "../../../../projections/replay/session.ts";
import { replayOfTracks } from "../../../support/scenes/segment-tracks.ts";
import { subscriptionSet } from "../../../support/scenes/signals.ts";

const segment: Segment = {
  partition: 3,
  asked: {
    kind: "tracks",
    tracks: [
      { dataSourceId: "cam", trackId: "a" },
      { dataSourceId: "other", trackId: "a" },
      { dataSourceId: "cam", trackId: "b" },
    ],
  },
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

const specOf = (more: Partial<ReplaySpec> = {}): ReplaySpec => ({
  ...{ id: "s", ...replayOfTracks("a", "b"), mode: "auto", speed: 1 },
  subscription: { ...subscriptionSet("s", "https://hooks.example.com/a"), secrets: [] },
  ...more,
});

test("an instance of the version before finds in a plan what it reads of it", () => {
  const { plan = "" } = plannedFields([segment], specOf());

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
  const spec = specOf();
  const fields = { ...newSession(spec, 1), ...plannedFields([segment], spec) };

  expect(parseSession(fields).plan).toEqual([expect.objectContaining(segment)]);
});

const window = { from: 900, to: 1_901 };
const zones = { zones: "now" } as const;

test.each<[what: string, more: Partial<ReplaySpec>, asked: Segment["asked"]]>([
  ["a range", { selection: { kind: "range", dataSourceIds: ["cam"], ...window } }, { kind: "window", ...window }],
  [
    "offsets",
    { selection: { kind: "offsets", spans: [{ partition: 3, from: 10, to: 20 }] } },
    { kind: "offsets", spans: [{ from: 10, to: 20 }] },
  ],
  ["other zones", zones, segment.asked],
  ["another time to live", { settings: { trackTtlMs: 1_000 } }, segment.asked],
])(
  "a session of %s ends with its reason at an instance of the version before, which finds no plan",
  (_what, more, asked) => {
    const spec = specOf(more);
    const { spec: text = "", ...planned } = { ...newSession(spec, 1), ...plannedFields([{ ...segment, asked }], spec) };

    // The version before looks for these tracks, and names those that are unknown.
    expect(JSON.parse(text).trackIds).toEqual([expect.stringContaining("needs a newer services/replay")]);
    for (const each of JSON.parse(planned["plan"] ?? "")) expect(each.tracks ?? each.trackIds).toBeUndefined();
    expect(parseSession({ spec: text, ...planned })).toMatchObject({ spec, plan: [{ asked }] });
  },
);

test("a session that the version before created is one of tracks, as they were recorded", () => {
  const spec = specOf();
  const { selection: _, zones: _zones, settings: _settings, ...earlier } = spec;

  const parsed = parseSession({ spec: JSON.stringify({ ...earlier, trackIds: ["a", "b"] }) });

  expect(parsed.spec).toEqual(spec);
});
