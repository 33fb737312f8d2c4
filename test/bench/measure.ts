// Rounds of ours and the baseline, alternating, so that both have the same machine load; medians of each.

export interface Comparison {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly baseline: number;
  /** ours / baseline */
  readonly ratio: number;
  readonly goal: string;
}

interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly goal: string;
}

export interface Contest extends Figure {
  readonly rounds: number;
  ours(round: number): Promise<number>;
  baseline(round: number): Promise<number>;
}

/** The first round of each warms up and does not count. */
export async function compare({ name, unit, goal, rounds, ours, baseline }: Contest): Promise<Comparison> {
  const [row] = await compareAll({
    ...{ rounds, figures: { only: { name, unit, goal } } },
    ours: async (round) => ({ only: await ours(round) }),
    baseline: async (round) => ({ only: await baseline(round) }),
  });
  if (row === undefined) throw new Error("no figure");
  return row;
}

/** Several figures, taken at the same time. */
export interface WideContest<F extends string> {
  readonly figures: Readonly<Record<F, Figure>>;
  readonly rounds: number;
  ours(round: number): Promise<Readonly<Record<F, number>>>;
  baseline(round: number): Promise<Readonly<Record<F, number>>>;
}

/** Compares several figures as `compare` does one. */
export async function compareAll<F extends string>(contest: WideContest<F>): Promise<Comparison[]> {
  const figures = Object.entries(contest.figures) as [F, Figure][];
  const rounds: { readonly base: Readonly<Record<F, number>>; readonly own: Readonly<Record<F, number>> }[] = [];
  for (let round = 0; round <= contest.rounds; round++) {
    const base = await contest.baseline(round);
    const own = await contest.ours(round);
    for (const [key, { name, unit }] of figures) {
      const text = `ours ${format(own[key])}, baseline ${format(base[key])} ${unit}`;
      process.stderr.write(`  ${name} round ${round}: ${text}\n`);
    }
    if (round > 0) rounds.push({ base, own });
  }
  return figures.map(([key, figure]) => {
    const ours = median(rounds.map(({ own }) => own[key]));
    const baseline = median(rounds.map(({ base }) => base[key]));
    return { ...figure, ours, baseline, ratio: ours / baseline };
  });
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Linear between the two nearest ranks. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export const format = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(3);

/** Formats the comparisons as a Markdown table. */
export function table(rows: readonly Comparison[]): string {
  const lines = rows.map(
    ({ name, ours, baseline, unit, ratio, goal }) =>
      `| ${name} | ${format(ours)} | ${format(baseline)} | ${unit} | ${ratio.toFixed(2)} | ${goal} |`,
  );
  return ["| name | ours | baseline | unit | ratio | goal |", "|---|---|---|---|---|---|", ...lines].join("\n");
}
