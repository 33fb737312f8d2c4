// A time line draws one page of an answer: which rows that is, and the time that they take.
import { type ShownTime, timeOfRows } from "./lanes.ts";
import type { AnswerRow } from "./question.ts";

export interface RowsPart {
  readonly rows: readonly AnswerRow[];
  /** Whether other rows of the answer are on other pages. */
  readonly isPart: boolean;
  /** That of the question; undefined when it has no end, or is a moment. */
  readonly period: ShownTime | undefined;
}

/**
 * The time that an axis has: that of the question, or the part of it that the rows take when there are more rows.
 * Otherwise the time of the rows on other pages would seem empty.
 */
export function timeOfPart({ rows, isPart, period }: RowsPart, now: number): ShownTime | undefined {
  if (period !== undefined && !isPart) return period;
  const ofRows = timeOfRows(rows, now);
  if (period === undefined || ofRows === undefined) return ofRows;
  const from = Math.max(period.from, ofRows.from);
  return { from, to: Math.max(from + 1_000, Math.min(period.to, ofRows.to)) };
}

export interface PagePlace {
  /** Rows on the pages before. */
  readonly before: number;
  readonly count: number;
  /** Undefined while it is not known. */
  readonly total: number | undefined;
  /** Whether the rows are sorted by the time at which they began, and how; undefined when they are not. */
  readonly order: "newest" | "oldest" | undefined;
  readonly hasNext: boolean;
}

/** Says which rows of the answer are drawn. */
export function partText({ before, count, total, order, hasNext }: PagePlace): string {
  const of = total === undefined ? "" : ` of ${total.toLocaleString()}`;
  const isFirst = before === 0 && order !== undefined;
  const which = isFirst
    ? `The ${order} ${count.toLocaleString()}${of} are drawn`
    : `Numbers ${(before + 1).toLocaleString()} – ${(before + count).toLocaleString()}${of} are drawn`;
  const others = order === undefined ? "further" : OTHERS[order];
  return hasNext ? `${which}; ${others} ones are on the next page.` : `${which}.`;
}

const OTHERS = { newest: "earlier", oldest: "later" } as const;
