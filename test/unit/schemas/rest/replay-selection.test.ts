import { expect, test } from "vitest";
import { replayBody } from "../../../../schemas/rest/replay.ts";

const schema = replayBody(100);
const body = (given: object) => ({ mode: "auto", webhook_url: "https://hooks.example.com/a", ...given });
const times = { from: "2026-01-06T14:00:00Z", to: "2026-01-06T14:20:00Z" };
const range = { data_source_ids: ["gate"], ...times };
const tracks = { track_ids: ["a"] };
const square = (size: number) => [
  [
    [0, 0],
    [size, 0],
    [size, size],
    [0, 0],
  ],
];
const feature = (properties: object = {}, coordinates: unknown = square(10)) => ({
  type: "Feature",
  properties: { name: "door", ...properties },
  geometry: { type: "Polygon", coordinates },
});
const zones = (...features: readonly unknown[]) => ({ ...tracks, zones: { type: "FeatureCollection", features } });
const spans = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ partition: 0, from: 2 * i, to: 2 * i + 1 }));

/** [what is wrong, the body, the member at fault] */
const refused: readonly (readonly [string, object, string])[] = [
  ["nothing that is replayed", {}, "track_ids"],
  ["null for all three", { track_ids: null, range: null, offsets: null }, "track_ids"],
  ["tracks and a range", { ...tracks, range }, "range"],
  ["a range and offsets", { range, offsets: spans(1) }, "offsets"],
  ["a range without data sources", { range: times }, "range"],
  ["a range of data sources and sites", { range: { ...range, site_ids: ["s"] } }, "range"],
  ["a range of no data source", { range: { ...range, data_source_ids: [] } }, "range.data_source_ids"],
  [
    "a hundred and one data sources",
    { range: { ...range, data_source_ids: Array(101).fill("a") } },
    "range.data_source_ids",
  ],
  ["a range without its end", { range: { data_source_ids: ["gate"], from: times.from } }, "range.to"],
  ["a time without an offset", { range: { ...range, from: "2026-01-06T14:00:00" } }, "range.from"],
  ["a number as time", { range: { ...range, from: 0 } }, "range.from"],
  ["an unknown member of a range", { range: { ...range, tags: ["car"] } }, "range"],
  ["no offsets", { offsets: [] }, "offsets"],
  ["a thousand spans", { offsets: spans(1_000) }, "offsets"],
  ["a negative offset", { offsets: [{ partition: 0, from: -1, to: 1 }] }, "offsets.0.from"],
  ["half an offset", { offsets: [{ partition: 0, from: 0, to: 0.5 }] }, "offsets.0.to"],
  ["an offset beyond all numbers", { offsets: [{ partition: 0, from: 0, to: 2 ** 60 }] }, "offsets.0.to"],
  ["a text as partition", { offsets: [{ partition: "0", from: 0, to: 1 }] }, "offsets.0.partition"],
  ["a partition that no topic has", { offsets: [{ partition: 2 ** 20, from: 0, to: 1 }] }, "offsets.0.partition"],
  ["a topic", { offsets: [{ topic: "zones", partition: 0, from: 0, to: 1 }] }, "offsets.0"],
  ["spans that overlap", { offsets: [...spans(2), { partition: 0, from: 1, to: 4 }] }, "offsets"],
  ["zones of an unknown time", { ...tracks, zones: "later" }, "zones"],
  ["no zone", zones(), "zones.features"],
  ["a zone without a name", zones(feature({ name: "" })), "zones.features.0.properties.name"],
  ["a hundred and one zones", zones(...Array(101).fill(feature())), "zones.features"],
  ["too many vertices", zones(feature({}, [Array(6_001).fill([0, 0])])), "zones.features"],
  [
    "a line",
    zones({ ...feature(), geometry: { type: "LineString", coordinates: [[0, 0]] } }),
    "zones.features.0.geometry.type",
  ],
  ["texts as coordinates", zones(feature({}, [[["0", "0"]]])), "zones.features.0.geometry.coordinates.0.0.0"],
  ["no detection to enter", zones(feature({ enter_detections: 0 })), "zones.features.0.properties.enter_detections"],
  ["a negative delay", zones(feature({ exit_delay: -1 })), "zones.features.0.properties.exit_delay"],
  ["an unknown setting", { ...tracks, settings: { ttl: 1 } }, "settings"],
  ["a time to live of 0", { ...tracks, settings: { track_ttl: 0 } }, "settings.track_ttl"],
  ["a time to live of a day", { ...tracks, settings: { track_ttl: 86_400 } }, "settings.track_ttl"],
  ["a minute of reordering", { ...tracks, settings: { reorder_ms: 60_000 } }, "settings.reorder_ms"],
  ["a text as setting", { ...tracks, settings: { exit_delay: "1" } }, "settings.exit_delay"],
];

test.each(refused)("%s: refused, with the member at fault", (_what, given, member) => {
  const parsed = schema.safeParse(body(given));

  expect(parsed.success).toBe(false);
  expect(parsed.error?.issues[0]?.path.join(".")).toBe(member);
});

test.each([
  ["tracks", tracks],
  ["data sources", { range }],
  ["sites", { range: { site_ids: ["s"], ...times } }],
  ["all time", { range: { ...range, from: "1970-01-01T00:00:00Z", to: "2200-01-01T00:00:00Z" } }],
  ["a hundred spans", { offsets: spans(100) }],
  ["zones of the request", zones(feature({ zone_id: "z", data_source_id: "gate", anchor: "bottom_center" }))],
  ["six thousand vertices", zones(feature({}, [Array(6_000).fill([0, 0])]))],
  ["settings", { ...tracks, zones: "now", settings: { track_ttl: 0.5, reorder_ms: 0, enter_detections: 3 } }],
  ["null for what is left out", { ...tracks, range: null, zones: null, settings: null }],
])("%s: accepted", (_what, given) => {
  expect(schema.safeParse(body(given)).error).toBeUndefined();
});

const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));

test.each([
  ["an unknown word", { ...tracks, zones: "later" }, /then/],
  ["a number", { ...tracks, zones: 1 }, /expected object/],
  ["too many zones", zones(...Array(101).fill(feature())), /at most 100 zones/],
  ["too many vertices", zones(feature({}, [Array(6_001).fill([0, 0])])), /at most 6000 vertices/],
  ["a line", zones({ ...feature(), geometry: { type: "LineString", coordinates: [[0, 0]] } }), /Polygon/],
  ["nested lists", zones(feature({}, nested(5_000))), /nested too deeply/],
])("the fault of zones is named: %s", (_what, given, message) => {
  expect(schema.safeParse(body(given)).error?.issues[0]?.message).toMatch(message);
});
