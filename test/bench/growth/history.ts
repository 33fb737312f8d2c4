// Named queries over a history of as many detections from more and more cameras.
import type { ClickHouseClient } from "@clickhouse/client";
import { median } from "../measure.ts";
import type { Size } from "../query/fill.ts";
import { withHistory } from "../query/query.ts";
import { createQuestions, type Question } from "../query/questions.ts";
import { type BenchStack, clickhouseSeconds } from "../stack.ts";

export const ASKED = ["tracks in a time range", "detections, page 1", "intersections of a zone"] as const;

export interface Answered {
  readonly ms: number;
  /** Processor time of ClickHouse; NaN when the run has not started it. */
  readonly storeMs: number;
}

export type Answers = Readonly<Record<(typeof ASKED)[number], Answered>>;

const DETECTIONS_PER_TRACK = 100;
/** A track begins at any of the cameras so often. */
const TRACK_EVERY_MS = 600;
const OPEN_TRACKS = 500;
/** Every history has as many zones as the largest cell has cameras, so a zone has as many intersections in all. */
const ZONES = 10_000;
const WARM_UP = 5;
const QUESTIONS = 15;

/** The total rate of tracks is the same, however many cameras they come from. */
export const historySize = (cameras: number, detections: number): Size => ({
  cameras,
  tracks: detections / DETECTIONS_PER_TRACK,
  detectionsPerTrack: DETECTIONS_PER_TRACK,
  trackEveryMs: TRACK_EVERY_MS * cameras,
  staggerMs: TRACK_EVERY_MS,
  openTracks: OPEN_TRACKS,
  zones: ZONES,
});

export async function askHistory(stack: BenchStack, cameras: number, detections: number): Promise<Answers> {
  return withHistory(stack, historySize(cameras, detections), async (client: ClickHouseClient, size) => {
    const questions = await createQuestions(client, size);
    const answer = (name: string) => {
      const question = questions.find((each) => each.name === name);
      if (question === undefined) throw new Error(`no question ${name}`);
      return timed(stack, question);
    };
    const answers: Record<string, Answered> = {};
    for (const name of ASKED) {
      const answered = await answer(name);
      answers[name] = answered;
      const text = `${answered.ms.toFixed(1)} ms, ClickHouse ${answered.storeMs.toFixed(1)} ms of processor`;
      process.stderr.write(`    ${name}, ${cameras} cameras: ${text}\n`);
    }
    return answers as Answers;
  });
}

async function timed(stack: BenchStack, { ask }: Question): Promise<Answered> {
  for (let seed = 0; seed < WARM_UP; seed++) await ask(seed);
  const before = await clickhouseSeconds(stack);
  const times: number[] = [];
  for (let i = 0; i < QUESTIONS; i++) {
    const startedAt = performance.now();
    await ask(WARM_UP + i);
    times.push(performance.now() - startedAt);
  }
  return { ms: median(times), storeMs: (1_000 * ((await clickhouseSeconds(stack)) - before)) / QUESTIONS };
}
