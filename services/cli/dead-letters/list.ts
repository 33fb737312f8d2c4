import type { DeadLetter } from "../../../schemas/events.ts";
import { type LetterHead, type ReadLettersDeps, readHeads } from "../../recorded/letters.ts";
import { printable, printableJson, timeText } from "./text.ts";

export interface Filter {
  /** Text that the reason must contain. */
  readonly reason: string | undefined;
  /** Recorded at this time or later, ms. */
  readonly since: number | undefined;
}

export interface ListOptions extends Filter {
  readonly limit: number;
  /** True to include redriven letters. */
  readonly all: boolean;
  readonly json: boolean;
}

export interface LineOutput {
  /** Prints a line of the answer. */
  print(line: string): void;
  /** Prints a line that is not part of the answer: a program that reads the answer must not receive it. */
  printError(line: string): void;
}

export const letterMatches = ({ reason, since }: Filter, letter: DeadLetter): boolean =>
  (reason === undefined || letter.reason.includes(reason)) && (since === undefined || letter.recordedAt >= since);

export async function listLetters(options: ListOptions, deps: ReadLettersDeps & LineOutput): Promise<void> {
  const { limit, all, json } = options;
  const { heads, unreadable } = await readHeads(deps, (letter) => letterMatches(options, letter));
  const found = [...heads.values()].filter(({ redriven }) => all || redriven === undefined).sort(oldestFirst);
  for (const head of found.slice(0, limit)) deps.print(json ? headJson(head) : headLine(head, all));
  const printNote = json ? deps.printError : deps.print;
  if (found.length === 0) printNote(all ? "There are no such letters." : "There are no such open letters.");
  if (found.length > limit) printNote(`${found.length - limit} more; --limit shows more than ${limit}.`);
  if (unreadable > 0) deps.printError(unreadableText(unreadable));
}

export const unreadableText = (count: number): string => `Not counted: unreadable messages in dead-letters, ${count}.`;

/**
 * The topic has letters in the order in which the projectors found them, and one projector may have lagged behind
 * another. So the letters are sorted by the time and position of their messages.
 */
function oldestFirst(a: LetterHead, b: LetterHead): number {
  return a.recordedAt - b.recordedAt || a.partition - b.partition || a.offset - b.offset;
}

function headLine({ id, recordedAt, bytes, reason, redriven }: LetterHead, withState: boolean): string {
  const fields = [id, timeText(recordedAt), bytes === null ? "-" : String(bytes), reason];
  if (withState) fields.push(stateText(redriven));
  return fields.map(printable).join("\t");
}

const headJson = ({ id, recordedAt, bytes, reason, redriven }: LetterHead): string =>
  printableJson({
    id,
    recordedAt: timeText(recordedAt),
    bytes,
    reason,
    redrivenAt: redriven === undefined ? null : timeText(redriven.redrivenAt),
  });

export const stateText = (redriven: LetterHead["redriven"]): string =>
  redriven === undefined ? "open" : `redriven ${timeText(redriven.redrivenAt)}`;
