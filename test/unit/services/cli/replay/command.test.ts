import { expect, test } from "vitest";
import { parseReplayCommand } from "../../../../../services/cli/replay/command.ts";

const FROM = Date.UTC(2026, 10, 24, 14);
const range = ["--data-source", "gate", "--from", "2026-11-24T14:00:00Z", "--to", "2026-11-24T15:20:00+01:00"];
const toFile = ["--out", "x.ndjson"];
const URL = "https://hooks.example.com/a";
const secret = `whsec_${Buffer.alloc(24).toString("base64")}`;

test.each([
  [range, { kind: "range", dataSources: ["gate"], from: FROM, to: FROM + 1_200_000 }],
  [
    ["--partition", "3", "--offsets", "120000..180000", "--partition", "4", "--offsets", "0..1"],
    {
      kind: "offsets",
      spans: [
        { partition: 3, from: 120_000, to: 180_000 },
        { partition: 4, from: 0, to: 1 },
      ],
    },
  ],
  [["--tracks", "a,b", "--tracks", "c, a"], { kind: "tracks", trackIds: ["a", "b", "c"] }],
])("%j selects a part of the log", (args, selection) => {
  expect(parseReplayCommand([...args, ...toFile])).toMatchObject({
    ...{ selection, zones: "then", settings: {}, receiver: undefined, comparison: undefined },
    out: { path: "x.ndjson", force: false },
  });
});

test("a file takes the place of the stores, as a whole or in part", () => {
  expect(parseReplayCommand(["--file", "a.avro", ...toFile])).toMatchObject({ file: "a.avro", selection: undefined });
  expect(parseReplayCommand(["--file", "a.avro", "--tracks", "a", ...toFile])).toMatchObject({
    ...{ file: "a.avro", selection: { kind: "tracks", trackIds: ["a"] } },
  });
  expect(() => parseReplayCommand(["--file", "a.avro", "--compare", "then"])).toThrow("has no signals of then");
  expect(() => parseReplayCommand(toFile)).toThrow("Give one of --data-source, --partition and --tracks");
});

test("signals of tracks and of zones are asked for, unless the options say otherwise", () => {
  const typesOf = (...args: string[]) =>
    parseReplayCommand([...range, ...toFile, ...args]).signals.map(({ mode, signal_type }) => [mode, signal_type]);

  expect(typesOf()).toEqual([
    ["streaming", "track_state"],
    ["streaming", "zone_state"],
  ]);
  expect(typesOf("--signals", "zone_state")).toEqual([["streaming", "zone_state"]]);
  expect(typesOf("--batch", "10")).toEqual([["batch", "track_state"]]);
});

test("filters go to the signals that they concern", () => {
  const args = ["--tag", "car", "--zone", "z", "--site", "s", "--emit-mode", "composition", "--heartbeat", "2"];
  const [tracks, zones] = parseReplayCommand([...range, ...toFile, ...args]).signals;

  expect(tracks).toMatchObject({ zone_emit_mode: "all", filters: { tags: ["car"], site_ids: ["s"], zone_ids: [] } });
  expect(zones).toMatchObject({
    ...{ zone_emit_mode: "composition", heartbeat_seconds: 2 },
    filters: { tags: ["car"], site_ids: ["s"], zone_ids: ["z"] },
  });
});

test("rules, receiver and comparison", () => {
  const sets = ["--set", "TRACK_TTL=1.5", "--set", "EXIT_DELAY_MS=300", "--set", "ENTER_DETECTIONS=2"];
  const rules = parseReplayCommand([...range, "--compare", "golden.ndjson", "--zones", "z.geojson", ...sets]);
  const sent = parseReplayCommand([...range, "--to", URL, "--secret", secret, "--speed", "2"]);
  const then = parseReplayCommand([...range, "--compare", "then", "--subscription", "a", "--subscription", "b"]);

  expect(rules).toMatchObject({
    zones: { file: "z.geojson" },
    settings: { trackTtlMs: 1_500, exitDelayMs: 300, enterDetections: 2 },
    comparison: { with: "file", path: "golden.ndjson" },
  });
  expect(sent.receiver).toEqual({ url: URL, secret, speed: 2 });
  expect(parseReplayCommand([...range, "--to", URL]).receiver).toEqual({ url: URL, secret: undefined, speed: null });
  expect(then).toMatchObject({ signals: [], comparison: { with: "then", subscriptionIds: ["a", "b"] } });
});

const [, , ...withoutSource] = range;

test.each([
  [[], "Say where the signals go"],
  [range, "Say where the signals go"],
  [toFile, "Give one of --data-source, --partition and --tracks"],
  [[...range, ...toFile, "--tracks", "a"], "Give one of --data-source, --partition and --tracks"],
  [[...withoutSource, ...toFile], "Give --data-source with --from and --to"],
  [[...range.slice(0, 4), ...toFile], "--to needs an ISO 8601 time with offset"],
  [["--data-source", "g", "--from", "today", "--to", "2026-11-24T14:00:00Z", ...toFile], "--from needs an ISO 8601"],
  [[...range.slice(0, 4), "--to", "2026-11-24T14:00:00Z", ...toFile], "--from must be before --to"],
  [[...range, "--to", "2026-11-24T14:00:00Z", ...toFile], "--to takes one time and one URL"],
  [["--partition", "3", ...toFile], "Give --offsets with each --partition"],
  [["--partition", "x", "--offsets", "1..2", ...toFile], "--partition needs the number of a partition"],
  [["--partition", "3", "--offsets", "1-2", ...toFile], "--offsets needs two numbers, such as 1200..1300"],
  [["--partition", "3", "--offsets", "2..2", ...toFile], "--offsets A..B leaves B out, so A must be below B"],
  [["--tracks", "a,,b", ...toFile], "--tracks needs ids, separated by commas"],
  [[...range, ...toFile, "--set", "TRACK_TTL=0"], "--set TRACK_TTL needs seconds above 0"],
  [[...range, ...toFile, "--set", "EXIT_DELAY_MS=-1"], "--set EXIT_DELAY_MS needs a whole number of milliseconds"],
  [[...range, ...toFile, "--set", "TRACK_TTL=1", "--set", "TRACK_TTL=2"], "--set TRACK_TTL is given twice"],
  [[...range, ...toFile, "--set", "toString=1"], "--set takes NAME=VALUE, with TRACK_TTL, REORDER_MS"],
  [[...range, ...toFile, "--signals", "activity_chronicle"], "--signals takes track_state and zone_state"],
  [[...range, ...toFile, "--signals", "zone_state", "--batch", "10"], "--signals: the mode batch is for track_state"],
  [[...range, ...toFile, "--batch", "0"], "--batch: "],
  [[...range, ...toFile, "--batch", "ten"], "--batch needs a number"],
  [[...range, ...toFile, "--signals", "track_state", "--zone", "z"], "--zone: has no effect on track_state"],
  [[...range, ...toFile, "--emit-mode", "some"], "--emit-mode: "],
  [[...range, "--force", "--compare", "x"], "--force goes with --out"],
  [[...range, ...toFile, "--secret", secret], "--secret and --speed go with --to URL"],
  [[...range, "--to", URL, "--secret", "x"], "--secret needs whsec_ and 24 to 64 bytes in base64"],
  [[...range, "--to", URL, "--speed", "0"], "--speed needs max, or a number from 0.1 to 1000"],
  [[...range, "--compare", "x", "--subscription", "s"], "--subscription goes with --compare then"],
  [[...range, "--compare", "then", "--to", URL], "--compare then does not go with --to URL"],
  [[...range, "--compare", "then", "--tag", "car"], "--compare then takes the signals of the recorded subscriptions"],
  [[...range, ...toFile, "more"], "Unexpected argument 'more'"],
  [[...range, ...toFile, "--fast"], "Unknown option '--fast'"],
])("%j is refused with one sentence and the usage", (args, sentence) => {
  const refused = () => parseReplayCommand(args);

  expect(refused).toThrow(sentence);
  expect(refused).toThrow(/^[^\n]+\.\nnpm run replay -- SELECTION /);
});
