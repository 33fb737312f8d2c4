// The lines in which a run says what it did, and what a comparison found.
import { isJsonObject, jsonOf } from "../../../schemas/json.ts";
import type { SignalName } from "../../../schemas/records/signal-raised.ts";
import { printable } from "../dead-letters/text.ts";
import type { Difference, Differences } from "./differences.ts";
import { wholeText } from "./progress.ts";

export interface RunFigures {
  readonly messages: number;
  readonly seconds: number;
  readonly counts: ReadonlyMap<SignalName, number>;
}

export function runLines({ messages, seconds, counts }: RunFigures): string[] {
  const rate = Math.round(messages / Math.max(seconds, 0.001));
  const signals = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const names = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    `messages  ${wholeText(messages)} in ${seconds.toFixed(1)} s, ${wholeText(rate)}/s`,
    `signals   ${wholeText(signals)}${names.map(([name, count]) => `, ${name} ${wholeText(count)}`).join("")}`,
  ];
}

export function differenceLines({ counts, first }: Pick<Differences, "counts" | "first">): string[] {
  const { same, changed, missing, new: added } = counts;
  const differing = changed + missing + added;
  const all = `same ${wholeText(same)}, changed ${wholeText(changed)}, missing ${wholeText(missing)}, new ${wholeText(added)}`;
  const lines = [`compared  ${all}`];
  for (const [at, difference] of first.entries()) lines.push("", ...linesOf(difference, at + 1));
  if (differing > first.length) lines.push("", `${wholeText(differing - first.length)} more differences`);
  return lines.map(printable);
}

/** Widths of a member's name, and of its values on both sides. */
const NAME = 34;
const VALUE = 40;

/** The members that differ, side by side; of a signal that is on one side only, its first members. */
function linesOf({ kind, earlier, now }: Difference, number: number): string[] {
  const [was, is] = [membersOf(earlier), membersOf(now)];
  const named = is.size > 0 ? is : was;
  const title = ["signal", "subject_id", "data_source_id", "timestamp", "subscription_id"]
    .map((name) => named.get(name))
    .filter((text) => text !== undefined && text !== "null");
  const names = [...new Set([...was.keys(), ...is.keys()])].filter((name) => was.get(name) !== is.get(name));
  const head = `${String(number).padStart(2)} ${kind}  ${title.join(" ")}`;
  if (kind !== "changed") return [head];
  const rows = names.slice(0, MOST_MEMBERS).map((name) => row(name, was.get(name) ?? "", is.get(name) ?? ""));
  const more = names.length > MOST_MEMBERS ? [`   ${names.length - MOST_MEMBERS} more members`] : [];
  return [head, row("", "then", "now"), ...rows, ...more];
}

const MOST_MEMBERS = 8;

const row = (name: string, then: string, now: string): string =>
  `   ${endOf(name, NAME).padEnd(NAME)}  ${cut(then, VALUE).padEnd(VALUE)}  ${cut(now, VALUE)}`.trimEnd();

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 3)}...`);

const endOf = (text: string, most: number): string => (text.length <= most ? text : `...${text.slice(3 - most)}`);

/** The JSON texts of all members by their paths, such as `state.zones.active.z.entered_at`. */
function membersOf(line: string | undefined): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  const visit = (value: unknown, path: string): void => {
    if (isJsonObject(value) && Object.keys(value).length > 0) {
      for (const [name, member] of Object.entries(value)) visit(member, path === "" ? name : `${path}.${name}`);
    } else members.set(path, typeof value === "string" ? value : JSON.stringify(value));
  };
  if (line !== undefined) visit(jsonOf(line), "");
  return members;
}
