// The part of an address that names a moment and a range.
import { type Range, rangeOf } from "./scale.ts";

export interface Moment {
  /** Undefined while the page is live. */
  readonly at: number | undefined;
  readonly range: Range | undefined;
}

/** Ignores what is no time. */
export function momentOf(query: URLSearchParams): Moment {
  const [at, from, to] = ["at", "from", "to"].map((name) => timeOf(query.get(name)));
  return { at, range: from === undefined || to === undefined ? undefined : rangeOf(from, to) };
}

/** @returns the query of the same address with this moment; an empty text, or one that begins with `?`. */
export function queryOf({ at, range }: Moment, query: URLSearchParams): string {
  const changed = new URLSearchParams(query);
  const values = { at, from: range?.from, to: range?.to };
  for (const [name, ms] of Object.entries(values)) {
    if (ms === undefined) changed.delete(name);
    else changed.set(name, new Date(ms).toISOString());
  }
  // Colons are allowed in a query, and an address that people read is better with them.
  const text = changed.toString().replaceAll("%3A", ":");
  return text === "" ? "" : `?${text}`;
}

function timeOf(text: string | null): number | undefined {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}
