// MOTChallenge text files: ground truth (nine columns) and tracker output (ten), distinguished by the number of
// columns.
import { readFields } from "./fields.ts";
import type { Format, ParsedLine, ParserOptions } from "./format.ts";

const BASE_FRAME = 1;
const BOX = ["frame", "id", "left", "top", "width", "height"] as const;

const layouts = {
  groundTruth: [...BOX, "flag", "class", "visibility"],
  tracker: [...BOX, "conf", "x", "y", "z"],
} as const;
type Layout = keyof typeof layouts;

/** Names of the class numbers of MOT16 and later, from 1. */
const CLASSES = [
  "pedestrian",
  "person_on_vehicle",
  "car",
  "bicycle",
  "motorbike",
  "non_motorised_vehicle",
  "static_person",
  "distractor",
  "occluder",
  "occluder_on_ground",
  "occluder_full",
  "reflection",
] as const;

export const mot: Format = {
  baseFrame: BASE_FRAME,
  createParser(options) {
    // The first line that fits one of the two decides the layout. In later lines a missing column is an error, not
    // another layout.
    let layout: Layout | undefined;
    return (line) => {
      const values = line.split(",");
      layout ??= layoutOf(values.length);
      if (layout === undefined) return wrongCount(values.length, "9 or 10", Math.min(values.length + 1, 11));
      const expected = layouts[layout].length;
      if (values.length !== expected)
        return wrongCount(values.length, String(expected), Math.min(values.length, expected) + 1);
      return parseRow(values, layout, options);
    };
  },
};

function layoutOf(columns: number): Layout | undefined {
  if (columns === layouts.groundTruth.length) return "groundTruth";
  return columns === layouts.tracker.length ? "tracker" : undefined;
}

const wrongCount = (found: number, expected: string, column: number): ParsedLine => ({
  ok: false,
  column,
  reason: `found ${found} columns where ${expected} are expected`,
});

function parseRow(values: readonly string[], layout: Layout, { tag }: ParserOptions): ParsedLine {
  const fields = readFields(values, layouts[layout]);
  const frame = fields.frame(0, BASE_FRAME);
  const fileId = fields.whole(1, 0);
  const [left, top, width, height] = [fields.number(2), fields.number(3), fields.number(4), fields.number(5)];
  if (width < 0) fields.fail(4, `is negative: ${width}`);
  if (height < 0) fields.fail(5, `is negative: ${height}`);
  const flag = fields.number(6);
  for (let column = 7; column < values.length; column++) fields.number(column);
  const ignored = layout === "groundTruth" && flag === 0;
  const className = layout === "tracker" ? tag : CLASSES[Number(values[7]) - 1];
  // Ignored rows may have classes that later benchmarks added.
  if (className === undefined && !ignored) fields.fail(7, `is not a class from 1 to ${CLASSES.length}: ${values[7]}`);
  if (fields.fault) return fields.fault;
  if (ignored || className === undefined) return { ok: true, row: undefined };
  return { ok: true, row: { frame, fileId, left, top, right: left + width, bottom: top + height, tag: className } };
}
