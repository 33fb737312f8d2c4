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

export interface Contest {
  readonly name: string;
  readonly unit: string;
  readonly goal: string;
  readonly rounds: number;
  ours(round: number): Promise<number>;
  baseline(round: number): Promise<number>;
}

/** The first round of each warms up and does not count. */
export async function compare({ name, unit, goal, rounds, ours, baseline }: Contest): Promise<Comparison> {
  const figures = { ours: [] as number[], baseline: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const base = await baseline(round);
    const own = await ours(round);
    process.stderr.write(`  ${name} round ${round}: ours ${format(own)}, baseline ${format(base)} ${unit}\n`);
    if (round === 0) continue;
    figures.ours.push(own);
    figures.baseline.push(base);
  }
  const [a, b] = [median(figures.ours), median(figures.baseline)];
  return { name, unit, goal, ours: a, baseline: b, ratio: a / b };
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

/** As a Markdown table. */
export function table(rows: readonly Comparison[]): string {
  const lines = rows.map(
    ({ name, ours, baseline, unit, ratio, goal }) =>
      `| ${name} | ${format(ours)} | ${format(baseline)} | ${unit} | ${ratio.toFixed(2)} | ${goal} |`,
  );
  return ["| name | ours | baseline | unit | ratio | goal |", "|---|---|---|---|---|---|", ...lines].join("\n");
}
