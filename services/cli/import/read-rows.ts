import { createReadStream } from "node:fs";
import { messageOf } from "../../../schemas/errors.ts";
import { ImportError } from "./errors.ts";
import type { Format } from "./formats/format.ts";
import { createRowTable, type TrackerRowTable } from "./row-table.ts";

/** Far more than any line of a tracker's output: a file without line ends would otherwise be read as one line. */
const MAX_LINE_CHARACTERS = 64 * 1024;

const TOO_LONG = `is longer than ${MAX_LINE_CHARACTERS} characters; is it a file of the format?`;

export interface ReadRowsOptions {
  readonly file: string;
  readonly format: Format;
  readonly tag: string;
  readonly skipBadLines: boolean;
}

export interface ReadRows {
  readonly rows: TrackerRowTable;
  /** Well-formed lines that the format skips (flag 0, lost). */
  readonly ignored: number;
  readonly duplicates: number;
  readonly badLines: number;
  /** Place and fault of the first bad line. */
  readonly firstBadLine: string | undefined;
}

/** Reads the file once. @throws ImportError with file, line and column of a bad line, unless it skips such lines. */
export async function readRows({ file, format, tag, skipBadLines }: ReadRowsOptions): Promise<ReadRows> {
  const table = createRowTable();
  const parse = format.createParser({ tag });
  let lineNumber = 0;
  let ignored = 0;
  let badLines = 0;
  let firstBadLine: string | undefined;

  for await (const lines of linesOf(file)) {
    for (const line of lines) {
      lineNumber++;
      if (line.length > MAX_LINE_CHARACTERS) throw new ImportError(`${file}, line ${lineNumber} ${TOO_LONG}`);
      if (line.trim() === "") continue;
      const parsed = parse(line);
      if (!parsed.ok) {
        const where = `${file}, line ${lineNumber}, column ${parsed.column}: ${parsed.reason}`;
        if (!skipBadLines) throw new ImportError(`${where}. Nothing was sent; --skip-bad-lines leaves such lines out.`);
        badLines++;
        firstBadLine ??= where;
      } else if (parsed.row) table.add(parsed.row);
      else ignored++;
    }
  }
  const rows = table.build();
  return { rows, ignored, duplicates: rows.duplicates, badLines, firstBadLine };
}

/**
 * Yields the lines of each piece read, without their ends; splitting a whole piece is several times faster than
 * readline.
 */
async function* linesOf(file: string): AsyncGenerator<string[]> {
  let rest = "";
  try {
    for await (const piece of createReadStream(file, { encoding: "utf8", highWaterMark: 1 << 20 })) {
      const lines = (rest + String(piece)).split("\n");
      rest = lines.pop() ?? "";
      // The beginning of a line that is already too long is passed on, so that `readRows` refuses it. Otherwise it
      // would be searched again with every piece.
      if (rest.length > MAX_LINE_CHARACTERS) lines.push(rest);
      yield lines;
    }
  } catch (cause) {
    throw new ImportError(`Cannot read ${file}: ${messageOf(cause)}.`, { cause });
  }
  if (rest !== "") yield [rest];
}
