// Lists the old months of the history, and drops them on request.
import { parseArgs } from "node:util";
import type { ClickHouseClient } from "@clickhouse/client";
import type { Layout } from "../../../projections/history/layout/layout.ts";
import { dropOldHistory, monthStart, oldHistory } from "../../../projections/history/queries/old-months.ts";
import { messageOf } from "../../../schemas/errors.ts";

const USAGE = "npm run retention -- --before YYYY-MM-DD [--yes]";

export interface RetentionCommand {
  readonly before: number;
  /** Nothing is dropped unless this is true. */
  readonly yes: boolean;
}

/** Throws with one sentence about the fault, and the usage. */
export function parseRetentionCommand(args: readonly string[]): RetentionCommand {
  try {
    const options = { before: { type: "string" }, yes: { type: "boolean", default: false } } as const;
    const { values } = parseArgs({ args: [...args], options });
    return { before: parseDate(values.before ?? ""), yes: values.yes };
  } catch (error) {
    // After its first sentence parseArgs gives advice about dashes.
    const [sentence] = messageOf(error).split(/\.(?:\s|$)|\n/);
    throw new Error(`${sentence}.\n${USAGE}`, { cause: error });
  }
}

function parseDate(text: string): number {
  const date = Date.parse(/^\d{4}-\d{2}(-\d{2})?$/.test(text) ? text : "");
  // Date.parse reads the 31st of February as a day in March.
  const isDay = !Number.isNaN(date) && new Date(date).toISOString().startsWith(text);
  if (!isDay) throw new Error("--before wants a date like 2026-01-01");
  return date;
}

export async function runRetentionCommand(
  { before, yes }: RetentionCommand,
  client: ClickHouseClient,
  layout: Layout,
  print: (line: string) => void,
): Promise<void> {
  const first = new Date(monthStart(before)).toISOString().slice(0, 7);
  const old = await oldHistory(client, layout, before);
  for (const { table, month, rows } of old.months) print(`${nameOf(month)} of ${table}: ${rows} rows`);
  if (old.tracks > 0) print(`tracks that were over before ${first}: ${old.tracks}`);
  if (old.months.length === 0 && old.tracks === 0) return print(`Nothing is older than ${first}.`);
  if (!yes) return print("Nothing was dropped. Run again with --yes to drop this; it cannot be undone.");
  if (!(await dropOldHistory(client, layout, before, old))) {
    return print("Dropped, but the store still deletes tracks. Run again to complete it.");
  }
  print("Dropped. The disk has room as soon as the store has cleaned up, after some minutes.");
}

const nameOf = (month: number): string =>
  month === 0 ? "all before 2020" : `${Math.floor(month / 100)}-${String(month % 100).padStart(2, "0")}`;
