// Compares a filter's verdict in memory with its meaning in plain TypeScript. FILTERS_SEED repeats a run.
import { expect } from "vitest";
import type { FilterBooleanInput, FilterIDInput, FilterStringListInput } from "../../../../schemas/filters.ts";
import { text, when } from "../../../integration/history/matches.ts";
import { type Random, seeded } from "../../../integration/history/world.ts";
import { smallest } from "../../../support/random/smallest.ts";

const COUNT = 10_000;
/** The number of objects; each filter judges some of them. */
const OBJECTS_EACH = 10;
const seed = Number(process.env["FILTERS_SEED"] ?? Math.floor(Math.random() * 1e9));

export type Matches<Filter, Subject> = (filter: Filter, subject: Subject) => boolean;

export async function agree<Filter extends object, Subject>(
  anyFilter: (random: Random) => Filter,
  anySubject: (random: Random) => Subject,
  matched: Matches<Filter, Subject>,
  inWords: Matches<Filter, Subject>,
): Promise<void> {
  const random = seeded(seed);
  const subjects = Array.from({ length: COUNT }, () => anySubject(random));
  for (let i = 0; i < COUNT; i++) {
    const filter = anyFilter(random);
    for (let j = 0; j < OBJECTS_EACH; j++) {
      const subject = subjects[(i + j * 997) % COUNT];
      if (subject === undefined || matched(filter, subject) === inWords(filter, subject)) continue;
      const least = await smallest(filter, async (less) => matched(less, subject) !== inWords(less, subject));
      const verdict = matched(least, subject) ? "matches, and should not" : "does not match, and should";
      expect.fail(`FILTERS_SEED=${seed}: ${JSON.stringify(least)} ${verdict}: ${JSON.stringify(subject)}`);
    }
  }
}

export const flag = (value: boolean, { eq, ne, attributeExists }: FilterBooleanInput): boolean =>
  when(eq, (wanted) => value === wanted) &&
  when(ne, (other) => value !== other) &&
  when(attributeExists, (there) => there);

export const list = (values: readonly string[], { eq, in: each }: FilterStringListInput): boolean =>
  when(eq, (wanted) => wanted.every((one) => values.includes(one)) && values.every((one) => wanted.includes(one))) &&
  when(each, (wanted) => wanted.every((one) => values.includes(one)));

/** The same id must match both `eq` and `in`. */
export const anyId = (ids: readonly string[], { ne, ...positive }: FilterIDInput): boolean =>
  when(ne, (other) => !ids.includes(other)) &&
  (Object.values(positive).every((member) => member == null) || ids.some((one) => text(one, positive)));

/** When an entity was made does not matter to its filter. */
export const made = { createdAt: 0, updatedAt: 0 };
