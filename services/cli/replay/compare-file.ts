// Compares the lines of a run with those of an earlier output. Both are in the order of the log. Each is read ahead to
// the next equal line, within bounds, so memory does not depend on their length.
import { type FileHandle, open } from "node:fs/promises";
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";
import { MIB } from "../../../schemas/units.ts";
import { createDifferences, type Differences } from "./differences.ts";
import { alignLines, createWindow, type LineWindow, type SignalText } from "./line-window.ts";
import type { SignalSink } from "./sink.ts";

export interface FileComparison extends SignalSink {
  readonly differences: Differences;
}

/** Rejects when the file cannot be read. */
export async function openFileComparison(
  path: string,
  lineOf: (signal: SignalRaised) => string,
): Promise<FileComparison> {
  const file = await open(path).catch((cause: Error) => {
    throw new Error(`Cannot read ${path}: ${cause.message}.`, { cause });
  });
  const lines = signalsIn(path, file);
  const close = async () => {
    // The stream within must end first: closing a file waits for it.
    await lines.return(undefined);
    await file.close();
  };
  const comparison = compareLines(async () => (await lines.next()).value);
  return {
    differences: comparison.differences,
    take: async ({ signals }) => {
      for (const signal of signals) await comparison.add(lineOf(signal));
    },
    finish: async () => {
      await comparison.end();
      await close();
    },
    abandon: close,
  };
}

async function* signalsIn(path: string, file: FileHandle): AsyncGenerator<SignalText, undefined> {
  let number = 0;
  for await (const line of linesIn(path, file.createReadStream({ encoding: "utf8", autoClose: false }))) {
    number += 1;
    // An editor of Windows may have ended the lines.
    const text = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (text.trim() !== "") yield { text, place: `${path}, line ${number}` };
  }
}

/** The longest line, characters: no signal has more. */
const MOST_CHARACTERS = 16 * MIB;

/** The lines of readline would be buffered by their number, however long they are. */
async function* linesIn(path: string, chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  let begun: string[] = [];
  let characters = 0;
  for await (const chunk of chunks) {
    const lines = chunk.split("\n");
    const rest = lines.pop() ?? "";
    for (const line of lines) {
      yield begun.length === 0 ? line : begun.join("") + line;
      begun = [];
      characters = 0;
    }
    characters += rest.length;
    if (characters > MOST_CHARACTERS) throw new Error(`${path} has a line that is longer than any signal.`);
    if (rest !== "") begun.push(rest);
  }
  yield begun.join("");
}

export interface LineComparison {
  readonly differences: Differences;
  /** Takes the next line of now. */
  add(line: string): Promise<void>;
  /** Called after the last line of now. */
  end(): Promise<void>;
}

/** `next` returns the lines of then, and undefined after the last one. */
export function compareLines(next: () => Promise<SignalText | undefined>): LineComparison {
  const differences = createDifferences();
  const then: LineWindow = createWindow();
  const now: LineWindow = createWindow();
  let isThenOver = false;

  async function fillThen(most: (window: LineWindow) => boolean): Promise<void> {
    while (!isThenOver && most(then)) {
      const line = await next();
      if (line === undefined) isThenOver = true;
      else then.push(line);
    }
  }

  /** `isOver`: no further line of now comes. */
  async function settle(isOver: boolean): Promise<void> {
    while (now.lines.length > 0) {
      await fillThen(({ lines }) => lines.length === 0);
      const [was, is] = [then.lines[0], now.lines[0]];
      if (was !== undefined && was.text === is?.text) {
        differences.same();
        then.drop(1);
        now.drop(1);
        continue;
      }
      if (was !== undefined && !isOver && !now.isFull()) return;
      await fillThen((window) => !window.isFull());
      alignLines(then, now, differences);
    }
  }

  return {
    differences,
    async add(text) {
      now.push({ text, place: "the run" });
      await settle(false);
    },
    async end() {
      await settle(true);
      for (let line = then.lines[0] ?? (await next()); line !== undefined; line = then.lines[0] ?? (await next())) {
        const { text } = line;
        then.drop(1);
        differences.missing(() => text);
      }
    },
  };
}
