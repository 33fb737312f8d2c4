// Two sequences of lines that differ at their beginning: finds where they agree again, and what differs before.
import { z } from "zod";
import { jsonOf } from "../../../schemas/json.ts";
import { MIB } from "../../../schemas/units.ts";
import type { Differences } from "./differences.ts";
import { type KeyOf, pairUp } from "./pair-up.ts";

export interface SignalText {
  readonly text: string;
  /** Named in a message about a line that is no signal. */
  readonly place: string;
}

export interface LineWindow {
  readonly lines: readonly SignalText[];
  push(line: SignalText): void;
  drop(count: number): void;
  isFull(): boolean;
}

/** The look-ahead: lines that were inserted or left out are recognized up to this number of them. */
const MOST_LINES = 1_000;
const MOST_CHARACTERS = 16 * MIB;

export function createWindow(): LineWindow {
  let characters = 0;
  const lines: SignalText[] = [];
  return {
    lines,
    push(line) {
      lines.push(line);
      characters += line.text.length;
    },
    drop(count) {
      for (const { text } of lines.splice(0, count)) characters -= text.length;
    },
    isFull: () => lines.length >= MOST_LINES || characters >= MOST_CHARACTERS,
  };
}

/** Reports the differences at the beginning of the windows, and drops their lines: at least one line of one window. */
export function alignLines(then: LineWindow, now: LineWindow, differences: Differences): void {
  const cut =
    beforeNextEqual(then.lines, now.lines) ?? beforeLastPair(then.lines, now.lines) ?? older(then.lines, now.lines);
  const { pairs, missing, added } = pairUp(then.lines.slice(0, cut.earlier), now.lines.slice(0, cut.now), passes);
  for (const [was, is] of pairs) {
    differences.changed(
      () => was.text,
      () => is.text,
    );
  }
  for (const { text } of missing) differences.missing(() => text);
  for (const { text } of added) differences.added(() => text);
  then.drop(cut.earlier);
  now.drop(cut.now);
}

/** Numbers of lines. */
interface Cut {
  readonly earlier: number;
  readonly now: number;
}

type Lines = readonly SignalText[];

/** The nearest lines that are equal, by the number of lines before them. */
function beforeNextEqual(then: Lines, now: Lines): Cut | undefined {
  const places = firstPlaces(now.map(({ text }) => text));
  let nearest: Cut | undefined;
  for (const [at, { text }] of then.entries()) {
    if (nearest !== undefined && at >= nearest.earlier + nearest.now) break;
    const place = places.get(text);
    if (place === undefined || (nearest !== undefined && at + place >= nearest.earlier + nearest.now)) continue;
    nearest = { earlier: at, now: place };
  }
  return nearest;
}

/** Without equal lines: lines after the last ones about the same signal may still find theirs. */
function beforeLastPair(then: Lines, now: Lines): Cut | undefined {
  const { pairs } = pairUp(then, now, passes);
  if (pairs.length === 0) return undefined;
  const paired = new Set(pairs.flat());
  const past = (lines: Lines) => lines.findLastIndex((line) => paired.has(line)) + 1;
  return { earlier: past(then), now: past(now) };
}

/** Without anything in common, one sequence is ahead of the other: the older lines are alone. */
function older(then: Lines, now: Lines): Cut {
  const [was, is] = [then[0], now[0]];
  if (was === undefined || is === undefined) return { earlier: then.length, now: now.length };
  const [wasAt, isAt] = [signalOf(was).timestamp, signalOf(is).timestamp];
  if (wasAt === isAt) return { earlier: 1, now: 1 };
  const alone = (lines: Lines, before: string) => {
    const end = lines.findIndex((line) => signalOf(line).timestamp >= before);
    return end < 0 ? lines.length : end;
  };
  return wasAt < isAt ? { earlier: alone(then, isAt), now: 0 } : { earlier: 0, now: alone(now, wasAt) };
}

function firstPlaces(texts: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [at, text] of texts.entries()) if (!places.has(text)) places.set(text, at);
  return places;
}

const lineMembers = z.object({
  subscription_id: z.string().optional(),
  signal_type: z.string(),
  signal: z.string(),
  subject_id: z.string(),
  data_source_id: z.string().nullable(),
  timestamp: z.string(),
  state: z.looseObject({ trigger_track_id: z.string().nullish() }),
});

type LineMembers = z.output<typeof lineMembers>;

/** A line may be looked at several times before it is dropped. */
const known = new WeakMap<SignalText, LineMembers>();

function signalOf(line: SignalText): LineMembers {
  const found = known.get(line) ?? lineMembers.safeParse(jsonOf(line.text)).data;
  if (found === undefined) throw new Error(`${line.place}: this is no signal of npm run replay.`);
  known.set(line, found);
  return found;
}

/** A signal is recognized by its subject, its time and its cause; one of another kind may take its place. */
const passes: readonly KeyOf<SignalText>[] = [
  (line) => JSON.stringify([...subjectOf(line), signalOf(line).signal]),
  (line) => JSON.stringify(subjectOf(line)),
];

function subjectOf(line: SignalText): readonly (string | null | undefined)[] {
  const { subscription_id, signal_type, subject_id, data_source_id, timestamp, state } = signalOf(line);
  return [subscription_id, signal_type, subject_id, data_source_id, timestamp, state.trigger_track_id];
}
