import { expect, test } from "vitest";
import { loadImportConfig } from "../../../../../services/cli/import/config.ts";

const token = { TRACKLOG_TOKEN_ID: "id", TRACKLOG_TOKEN_VALUE: "value" };
const complete = "tracks.txt --format mot --data-source Gate --fps 29.97 --start 2026-01-01T01:00:00+01:00";

const load = (line: string, env: NodeJS.ProcessEnv = token) => loadImportConfig(line.split(" ").filter(Boolean), env);

test("what is left out has a default", async () => {
  expect(await load(complete)).toMatchObject({
    file: "tracks.txt",
    format: "mot",
    dataSource: "Gate",
    fps: 29.97,
    start: Date.parse("2026-01-01T00:00:00Z"),
    recording: "tracks.txt 2026-01-01T00:00:00.000Z",
    zonesFile: undefined,
    speed: Number.POSITIVE_INFINITY,
    tag: "pedestrian",
    skipBadLines: false,
    url: "http://127.0.0.1:4000/graphql",
    token: { id: "id", value: "value" },
  });
});

test("every option is taken", async () => {
  expect(
    await load(
      `${complete} --zones z.geojson --speed 2 --tag Car --skip-bad-lines --url http://far:1/graphql --recording R1`,
    ),
  ).toMatchObject({
    recording: "R1",
    zonesFile: "z.geojson",
    speed: 2,
    tag: "car",
    skipBadLines: true,
    url: "http://far:1/graphql",
  });
});

test("by default a recording is a file and when it starts, wherever the file lies and however the time is written", async () => {
  const named = async (line: string) => (await load(line)).recording;
  const moved = complete.replace("tracks.txt", "/elsewhere/tracks.txt").replace("01:00:00+01:00", "00:00:00Z");

  expect(await named(moved)).toBe(await named(complete));
  expect(await named(complete.replace("2026-01-01", "2026-01-02"))).not.toBe(await named(complete));
  expect(await named(complete.replace("tracks", "other"))).not.toBe(await named(complete));
});

test.each([
  ["", "give the file to import; give --format mot or --format sdd; give --data-source NAME"],
  [complete.replace("mot", "coco"), "--format mot or --format sdd"],
  [complete.replace("29.97", "fast"), "--fps is a number"],
  [complete.replace("29.97", "0"), "--fps"],
  [complete.replace("+01:00", ""), "--start"],
  [`${complete} --speed 0`, "--speed"],
  [`${complete} --speed quick`, '--speed is a number above 0, or "max"'],
  [`${complete} --url ftp://there`, "--url"],
  [`${complete} --unknown`, "--unknown"],
  [`${complete} --recording=`, "give --recording a name"],
  [`${complete} other.txt`, "One file at a time"],
])("%j is refused with what to do", async (line, sentence) => {
  await expect(load(line)).rejects.toThrow(sentence);
});
