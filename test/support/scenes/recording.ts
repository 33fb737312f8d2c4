// Reads tracker files independently of the import command, to compute the expected result. It does not check rows: a
// file that the import accepts has no malformed ones.
import { readFile } from "node:fs/promises";
import type { TestBox } from "./zones-for.ts";

export type RecordingFormat = "mot" | "sdd";

export interface Sighting {
  /** The object's number within the file. */
  readonly fileId: number;
  readonly frame: number;
  /** Image pixels. */
  readonly box: TestBox;
}

export const BASE_FRAME: Readonly<Record<RecordingFormat, number>> = { mot: 1, sdd: 0 };

/** Without ignored or lost rows; of rows with the same frame and id, the first. By frame. */
export async function readRecording(file: string, format: RecordingFormat): Promise<Sighting[]> {
  const read = format === "mot" ? readMot : readSdd;
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.trim() !== "");
  const distinct = new Map<string, Sighting>();
  for (const sighting of lines.flatMap(read)) {
    const key = `${sighting.frame} ${sighting.fileId}`;
    if (!distinct.has(key)) distinct.set(key, sighting);
  }
  return [...distinct.values()].sort((a, b) => a.frame - b.frame);
}

/** Nine columns are ground truth, whose seventh is the flag; ten are a tracker's output. */
function readMot(line: string): Sighting[] {
  const values = line.split(",").map(Number);
  const [frame = 0, fileId = 0, left = 0, top = 0, width = 0, height = 0, flag] = values;
  if (values.length === 9 && flag === 0) return [];
  return [{ fileId, frame, box: [left, top, left + width, top + height] }];
}

function readSdd(line: string): Sighting[] {
  const [fileId = 0, left = 0, top = 0, right = 0, bottom = 0, frame = 0, lost] = line.split(" ").map(Number);
  return lost === 1 ? [] : [{ fileId, frame, box: [left, top, right, bottom] }];
}
