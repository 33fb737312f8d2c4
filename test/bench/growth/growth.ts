// How the rates grow: the same number of events from more and more cameras, over more and more partitions, and through
// two processes of a service in place of one. The baseline is one cell: 100 cameras, 12 partitions, one process.
import { parameter } from "../config.ts";
import { type Comparison, median } from "../measure.ts";
import type { BenchStack } from "../stack.ts";
import { type Cell, countOf, foldCell, nameOf, openCell, projectCell } from "./cell.ts";
import { type Answers, ASKED, askHistory } from "./history.ts";
import { ingestCell } from "./ingest-cell.ts";
import type { Rate } from "./window.ts";

const BASE: Cell = { cameras: 100, partitions: 12, processes: 1 };
const CAMERAS = [10, 1_000, 10_000];
const PARTITIONS = [1, 48];
/** Every track has a detection in one of the first two events of its camera. */
const EVENTS_TO_BEGIN = 2;
/** The API remembers so many tracks by default; the largest cell has twice as many. */
const ALL_TRACKS = { API_ROUTING_TRACKS: "400000" };

const STAGES = ["ingest", "fold", "project"] as const;
type Stage = (typeof STAGES)[number];
/** The figures of a stage in all rounds, by the cell's name. */
type Figures = Readonly<Record<Stage, Map<string, Rate[]>>>;

interface Lengths {
  /** Events in which every track of the largest cell begins. */
  readonly warmUp: number;
  /** Events of a measurement. */
  readonly events: number;
}

export async function benchGrowth(stack: BenchStack): Promise<Comparison[]> {
  const events = parameter("BENCH_GROWTH_EVENTS", 100_000);
  const most = parameter("BENCH_GROWTH_CAMERAS", 10_000);
  const rounds = parameter("BENCH_GROWTH_ROUNDS", 1);
  const cameras = CAMERAS.filter((each) => each <= most);
  const lengths = { warmUp: Math.max(EVENTS_TO_BEGIN * Math.max(...cameras), events / 4), events };
  const only = process.env["BENCH_GROWTH"] ?? "";
  const cells = [
    BASE,
    ...cameras.map((each) => ({ ...BASE, cameras: each })),
    ...PARTITIONS.map((partitions) => ({ ...BASE, partitions })),
    { ...BASE, processes: 2 },
  ].filter((cell) => nameOf(cell).includes(only));
  const figures: Figures = { ingest: new Map(), fold: new Map(), project: new Map() };
  const answers = new Map<number, Answers[]>();
  for (let round = 0; round < rounds; round++) {
    for (const cell of cells) await measureCell(stack, cell, lengths, figures);
    for (const each of only === "" ? [BASE.cameras, ...cameras] : []) {
      add(answers, each, await askHistory(stack, each, parameter("BENCH_GROWTH_HISTORY", 1_000_000)));
    }
  }
  return [...rateRows(figures), ...answerRows(answers)];
}

const add = <K, V>(lists: Map<K, V[]>, key: K, value: V): void =>
  void lists.set(key, [...(lists.get(key) ?? []), value]);

async function measureCell(
  stack: BenchStack,
  cell: Cell,
  { warmUp, events }: Lengths,
  figures: Figures,
): Promise<void> {
  const open = await openCell(stack, cell, warmUp);
  add(figures.project, nameOf(cell), await projectCell(open, events));
  add(figures.fold, nameOf(cell), await foldCell(open, events));
  if (cell.processes > 1) return;
  add(figures.ingest, nameOf(cell), await ingestCell(open));
  if (cell.cameras < Math.max(...CAMERAS)) return;
  const name = `${nameOf(cell)}, API_ROUTING_TRACKS=${ALL_TRACKS.API_ROUTING_TRACKS}`;
  add(figures.ingest, name, await ingestCell(open, ALL_TRACKS));
}

/** A table of rates, then one of processor times. */
function rateRows(figures: Figures): Comparison[] {
  const rows = (unit: string, of: (rate: Rate) => number) =>
    STAGES.flatMap((stage) => {
      const medians = new Map(Array.from(figures[stage], ([name, rates]) => [name, median(rates.map(of))]));
      return rowsOf(stage, medians, { base: nameOf(BASE), unit });
    });
  return [
    ...rows("detections/s", ({ detectionsPerSecond }) => detectionsPerSecond),
    ...rows("us of processor a detection", ({ us }) => us),
  ];
}

function answerRows(answers: ReadonlyMap<number, readonly Answers[]>): Comparison[] {
  const name = (cameras: number) => `${countOf(cameras)} cameras`;
  const rows = (unit: string, of: (question: (typeof ASKED)[number]) => (each: Answers) => number) =>
    ASKED.flatMap((question) => {
      const medians = new Map(Array.from(answers, ([cameras, all]) => [name(cameras), median(all.map(of(question)))]));
      return rowsOf(question, medians, { base: name(BASE.cameras), unit });
    });
  return [
    ...rows("ms", (question) => (each) => each[question].ms),
    ...rows("ms of ClickHouse's processor", (question) => (each) => each[question].storeMs),
  ];
}

function rowsOf(
  figure: string,
  values: ReadonlyMap<string, number>,
  { base, unit }: { readonly base: string; readonly unit: string },
): Comparison[] {
  const baseline = values.get(base) ?? Number.NaN;
  return Array.from(values).flatMap(([name, ours]) =>
    name === base ? [] : { name: `${figure}, ${name}`, unit, ours, baseline, ratio: ours / baseline, goal: "" },
  );
}
