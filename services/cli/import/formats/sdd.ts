// Stanford Drone Dataset annotations: id xmin ymin xmax ymax frame lost occluded generated "label".
import { readFields } from "./fields.ts";
import type { Format, ParsedLine } from "./format.ts";

const BASE_FRAME = 0;
const COLUMNS = ["id", "xmin", "ymin", "xmax", "ymax", "frame", "lost", "occluded", "generated", "label"] as const;
const LABEL = 9;

export const sdd: Format = {
  baseFrame: BASE_FRAME,
  createParser: () => parseLine,
};

function parseLine(line: string): ParsedLine {
  const values = splitColumns(line);
  if (values.length < COLUMNS.length) {
    const reason = `found ${values.length} columns where ${COLUMNS.length} are expected`;
    return { ok: false, column: values.length + 1, reason };
  }
  const fields = readFields(values, COLUMNS);
  const fileId = fields.whole(0, 0);
  const [left, top, right, bottom] = [fields.number(1), fields.number(2), fields.number(3), fields.number(4)];
  if (right < left) fields.fail(3, `is less than xmin: ${right}`);
  if (bottom < top) fields.fail(4, `is less than ymin: ${bottom}`);
  const frame = fields.frame(5, BASE_FRAME);
  const lost = fields.flag(6);
  fields.flag(7);
  fields.flag(8);
  const tag = unquote(values[LABEL] ?? "").toLowerCase();
  if (tag === "") fields.fail(LABEL, "is empty");
  if (tag.includes('"')) fields.fail(LABEL, `has a quotation mark too many or too few: ${values[LABEL]?.slice(0, 40)}`);
  if (fields.fault) return fields.fault;
  // A lost object is outside the picture: no detection, a gap in its track.
  return { ok: true, row: lost ? undefined : { frame, fileId, left, top, right, bottom, tag } };
}

/** The label is the rest of the line, because it may hold spaces. */
function splitColumns(line: string): string[] {
  const values = line.trim().split(/\s+/);
  return values.length <= COLUMNS.length ? values : [...values.slice(0, LABEL), values.slice(LABEL).join(" ")];
}

const unquote = (text: string): string => /^"(.*)"$/.exec(text)?.[1]?.trim() ?? text;
