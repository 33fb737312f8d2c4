// Sends the operations of a question, one page or many.
import type { AnswerPage, Asked, PageArguments, Period, Question } from "../questions/question.ts";
import { LARGEST_PAGE } from "./all-nodes.ts";
import type { Requests } from "./requests.ts";

/** A question that is being asked: what the user chose, for a time that no longer moves. */
export interface Asking {
  readonly question: Question;
  readonly asked: Asked;
  readonly period: Period;
}

export async function askPage(
  ask: Requests["ask"],
  { question, asked, period }: Asking,
  page: PageArguments,
  signal?: AbortSignal,
): Promise<AnswerPage> {
  const { document, variables } = question.operation(asked, period, page);
  return question.read(await ask<unknown>(document, variables, signal), asked);
}

/** @returns undefined when the answer itself has the number. */
export async function askTotal(
  ask: Requests["ask"],
  { question: { total }, asked, period }: Asking,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (total === undefined) return undefined;
  const { document, variables } = total.operation(asked, period);
  return total.read(await ask<unknown>(document, variables, signal));
}

/** Pages until the last one, or until `most` rows have come. */
export async function* allPages(
  ask: Requests["ask"],
  asking: Asking,
  most: number,
  signal: AbortSignal,
): AsyncGenerator<AnswerPage> {
  let after: string | undefined;
  let left = most;
  do {
    const page = await askPage(ask, asking, { first: Math.min(LARGEST_PAGE, left), after }, signal);
    yield page;
    left -= page.rows.length;
    after = page.next;
  } while (after !== undefined && left > 0);
}
