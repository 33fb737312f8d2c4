import { notFound } from "../../../schemas/errors.ts";
import type { DeadLetter } from "../../../schemas/events.ts";
import { type LetterHead, type ReadLettersDeps, readHeads, readWhole } from "../../recorded/letters.ts";
import { type LineOutput, stateText } from "./list.ts";
import { bytesText, hexDump, MAX_DUMP_BYTES, printable, printableJson, timeText } from "./text.ts";

export interface ShowOptions {
  readonly id: string;
  readonly json: boolean;
}

/** Rejects with NOT_FOUND. */
export async function showLetter({ id, json }: ShowOptions, deps: ReadLettersDeps & LineOutput): Promise<void> {
  const { heads } = await readHeads(deps, (letter) => letter.id === id);
  const head = heads.get(id);
  if (head === undefined) throw notFound("dead letter", id);
  for await (const letter of readWhole(deps, [head])) {
    await deps.codec.loadSchemas([letter.value]);
    deps.print(json ? letterJson(head, letter, deps) : letterText(head, letter, deps));
    return;
  }
  throw notFound("dead letter", id);
}

function letterText({ redriven }: LetterHead, letter: DeadLetter, { codec }: ReadLettersDeps): string {
  const fields = {
    id: letter.id,
    topic: letter.topic,
    partition: String(letter.partition),
    offset: String(letter.offset),
    recorded: timeText(letter.recordedAt),
    reason: letter.reason,
    key: letter.key === null ? "none" : bytesText(letter.key),
    state: redriven === undefined ? "open" : `${stateText(redriven)} as ${placeText(redriven)}`,
  };
  const lines = Object.entries(fields).map(([name, text]) => `${name.padEnd(9)}  ${printable(text)}`);
  return [...lines, ...valueLines(letter.value, codec)].join("\n");
}

function valueLines(value: Buffer | null, codec: ReadLettersDeps["codec"]): string[] {
  if (value === null) return ["value      not in the letter"];
  const decoded = codec.decode(value);
  if (decoded.ok) return [`value      ${decoded.type}, ${value.length} bytes`, printableJson(decoded.event, 2)];
  return [`value      ${value.length} bytes: ${printable(decoded.reason)}`, hexDump(value)].filter(
    (text) => text !== "",
  );
}

function letterJson({ redriven }: LetterHead, letter: DeadLetter, { codec }: ReadLettersDeps): string {
  const decoded = codec.decode(letter.value);
  return printableJson({
    id: letter.id,
    topic: letter.topic,
    partition: letter.partition,
    offset: letter.offset,
    recordedAt: timeText(letter.recordedAt),
    reason: letter.reason,
    key: letter.key,
    redrivenAt: redriven === undefined ? null : timeText(redriven.redrivenAt),
    redrivenAs: redriven === undefined ? null : placeText(redriven),
    bytes: letter.value?.length ?? null,
    type: decoded.ok ? decoded.type : null,
    value: decoded.ok ? decoded.event : null,
    hex: decoded.ok || letter.value === null ? null : letter.value.subarray(0, MAX_DUMP_BYTES).toString("hex"),
  });
}

export const placeText = ({ topic, partition, offset }: NonNullable<LetterHead["redriven"]>): string =>
  `${topic}/${partition}/${offset}`;
