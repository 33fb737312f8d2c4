// Compares a summary with the simplest computation, on random questions and filters.
import { expect } from "vitest";
import type { Dimension } from "../../../projections/summaries/dimensions.ts";
import type { SummaryKind } from "../../../projections/summaries/kind.ts";
import { howMany } from "../../support/random/how-many.ts";
import type { Database } from "../history/database.ts";
import { type Random, seeded } from "../history/world.ts";
import { anyQuestion } from "./any-questions.ts";
import { bruteSummary, type Counted } from "./brute.ts";
import type { createScene } from "./scene.ts";

const QUESTIONS = Number(process.env["SUMMARIES"] ?? howMany({ short: 40, full: 100 }));
const TOGETHER = 20;
export const seed = Number(process.env["SUMMARIES_SEED"] ?? 1);

export interface Case<Filter, Subject> {
  readonly kind: SummaryKind<Filter>;
  /** Beside those of the kind. */
  readonly dimensions?: Readonly<Record<string, Dimension>>;
  readonly subjects: readonly Subject[];
  readonly anyFilter: (random: Random) => Filter;
  readonly passes: (subject: Subject, filter: Filter) => boolean;
  readonly counted: (subject: Subject) => Counted;
  /** The objects are at one instant: there is no strategy, and nothing to say of starts and ends. */
  readonly areInstants?: true;
}

export async function agree<Filter, Subject>(
  { database, scene }: { readonly database: Database; readonly scene: ReturnType<typeof createScene> },
  compared: Case<Filter, Subject>,
) {
  const { kind, subjects, anyFilter, passes, counted, areInstants = false } = compared;
  const random = seeded(seed + 2);
  /** Resolves with the comparison. */
  async function ask(i: number): Promise<() => void> {
    const { question, names } = anyQuestion(random, { ...kind.dimensions, ...compared.dimensions });
    const filter = anyFilter(random);
    const { range, grouping } = question;
    const strategy = areInstants ? "STARTED" : question.strategy;
    const answered = await kind.summarize({ ...scene, client: database.client, filter, question });

    const context = `SUMMARIES_SEED=${seed} question ${i}: ${JSON.stringify({ range, strategy, names, sizeMs: grouping?.sizeMs, filter })}`;
    return () => {
      const found = subjects.filter((subject) => passes(subject, filter)).map(counted);
      const expected = bruteSummary(found, {
        range,
        strategy,
        grouping: grouping && { sizeMs: grouping.sizeMs, names },
      });
      const shown = areInstants
        ? JSON.parse(JSON.stringify(expected).replace(/"started":\d+/g, '"started":0'))
        : expected;
      expect(answered, context).toEqual(shown);
    };
  }
  for (let i = 0; i < QUESTIONS; i += TOGETHER) {
    const comparisons = await Promise.all(Array.from({ length: TOGETHER }, (_, n) => ask(i + n)));
    // The comparisons run when no question is open. A computation of ten seconds would use connections that the store
    // has closed meanwhile.
    for (const compare of comparisons) compare();
  }
}
