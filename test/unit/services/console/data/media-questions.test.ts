import { expect, test } from "vitest";
import { clipOf } from "../../../../../services/console/data/media-questions.ts";

const at = (second: number) => new Date(second * 1_000).toISOString();
const video = (from: number, to: number | null) => ({
  id: "v",
  startTime: at(from),
  endTime: to === null ? null : at(to),
  url: "http://host/media/v.mp4?signature=x",
  thumbnailUrl: null,
  displayName: null,
});
const range = { from: 100_000, to: 160_000 };

test.each([
  ["covers the range", video(40, 200), "#t=60,120"],
  ["begins in it", video(130, 200), "#t=0,30"],
  ["ends in it", video(90, 110), "#t=10,20"],
  ["goes on", video(90, null), "#t=10,70"],
])("a clip of a video that %s is the part in the range", (_, node, fragment) => {
  expect(clipOf(node, range)?.url).toBe(`http://host/media/v.mp4?signature=x${fragment}`);
});

test("a video that ended before has no clip", () => {
  expect(clipOf(video(0, 99), range)).toBeUndefined();
});
