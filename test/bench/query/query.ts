// The history's named queries over 10 million detections, against SQL written by hand for the same answer, through the
// same client. Every round asks the same questions of both, with other values than the rounds before.
import { type ClickHouseClient, createClient } from "@clickhouse/client";
import { clickhouseEnv, loadConfig } from "../../../services/common/config.ts";
import { migrateDatabase } from "../../../services/projector/migrate-database.ts";
import { until } from "../../support/running/processes.ts";
import { parameter } from "../config.ts";
import { type Comparison, compare, median } from "../measure.ts";
import type { BenchStack } from "../stack.ts";
import { fillHistory, type Size } from "./fill.ts";
import { createQuestions, type Question } from "./questions.ts";

const DETECTIONS_PER_TRACK = 100;
const ROUNDS = 5;
/** A busy machine takes long over a stretch of a large history. */
const PATIENCE_MS = 600_000;
const PER_ROUND = 5;

export async function benchQuery(stack: BenchStack): Promise<Comparison[]> {
  const detections = parameter("BENCH_QUERY_DETECTIONS", 10_000_000);
  return withHistory(stack, sizeOf(detections), async (client, size) => {
    const questions = await createQuestions(client, size);
    const results: Comparison[] = [];
    for (const question of questions) results.push(await contest(client, question));
    const grown = process.env["BENCH_QUERY_GROWN"] === undefined ? 0 : parameter("BENCH_QUERY_GROWN", 0);
    if (grown > 0)
      results.push(...(await withHistory(stack, sizeOf(grown), (...larger) => growth(questions, ...larger))));
    return results;
  });
}

const sizeOf = (detections: number): Size => {
  return {
    cameras: 50,
    trackEveryMs: 30_000,
    tracks: detections / DETECTIONS_PER_TRACK,
    detectionsPerTrack: DETECTIONS_PER_TRACK,
    zones: 1_000,
  };
};

/** `use` gets a history of this size, which is gone afterwards. */
export async function withHistory<T>(
  stack: BenchStack,
  size: Size,
  use: (client: ClickHouseClient, size: Size) => Promise<T>,
): Promise<T> {
  const database = `bench_query_${Date.now()}`;
  const config = loadConfig(clickhouseEnv, { ...stack.env, CLICKHOUSE_DATABASE: database });
  await migrateDatabase(config, database);
  const client = createClient({
    url: config.CLICKHOUSE_URL,
    username: config.CLICKHOUSE_USER,
    password: config.CLICKHOUSE_PASSWORD,
    database,
    request_timeout: PATIENCE_MS,
  });
  try {
    await fill(client, size);
    return await use(client, size);
  } finally {
    await client.command({ query: `DROP DATABASE IF EXISTS ${database}` });
    await client.close();
  }
}

/** The same questions of a longer history: as many rows asked for, in ranges as long. */
async function growth(before: readonly Question[], client: ClickHouseClient, size: Size): Promise<Comparison[]> {
  const results: Comparison[] = [];
  for (const [i, { name, ask }] of (await createQuestions(client, size)).entries()) {
    const earlier = before[i]?.ask;
    if (earlier === undefined) continue;
    const ours = await compare({
      name: `query, ${name}, in a longer history`,
      unit: "ms",
      goal: "<= 1.3",
      rounds: ROUNDS,
      ours: (round) => medianOf(ask, round * PER_ROUND),
      baseline: (round) => medianOf(earlier, round * PER_ROUND),
    });
    results.push(ours);
  }
  return results;
}

async function medianOf(ask: Question["ask"], seed: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < PER_ROUND; i++) {
    const startedAt = performance.now();
    await ask(seed + i);
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

async function fill(client: ClickHouseClient, size: Size): Promise<void> {
  const startedAt = performance.now();
  await fillHistory(client, size);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stderr.write(`  ${size.tracks * size.detectionsPerTrack} detections made in ${seconds} s\n`);
  await merged(client);
}

/**
 * Waits until ClickHouse has merged the parts. A history grows over days and is merged meanwhile; the merges after
 * this fill would take the processor from the questions for minutes.
 */
async function merged(client: ClickHouseClient): Promise<void> {
  const query = "SELECT count() AS running FROM system.merges WHERE database = currentDatabase()";
  await until(
    async () => {
      const [row] = await (await client.query({ query, format: "JSONEachRow" })).json<{ running: string | number }>();
      return Number(row?.running) === 0;
    },
    { timeoutMs: PATIENCE_MS, pauseMs: 1_000 },
  );
}

/** Ours against the SQL of the question. */
export function contest(client: ClickHouseClient, { name, ask, sql }: Question, bench = "query"): Promise<Comparison> {
  const ours = async (seed: number) => (await ask(seed)).length;
  const byHand = async (seed: number) => {
    const result = await client.query({ query: sql(seed), format: "JSONEachRow" });
    return (await result.json()).length;
  };
  return compare({
    name: `${bench}, ${name}`,
    unit: "ms",
    goal: "<= 1.5",
    rounds: ROUNDS,
    // Other values for each side: the second side would find the rows of the first in the cache.
    ours: (round) => timed(ours, byHand, round * PER_ROUND),
    baseline: (round) => timed(byHand, ours, (round + 1_000) * PER_ROUND),
  });
}

type Ask = (seed: number) => Promise<number>;

/** Median of several questions, ms. The other side answers the last of them, too: both must return as many rows. */
async function timed(asked: Ask, other: Ask, seed: number): Promise<number> {
  const times: number[] = [];
  let rows = 0;
  for (let i = 0; i < PER_ROUND; i++) {
    const startedAt = performance.now();
    rows = await asked(seed + i);
    times.push(performance.now() - startedAt);
  }
  const others = await other(seed + PER_ROUND - 1);
  if (others !== rows) throw new Error(`${rows} rows, and ${others} by the other way`);
  return median(times);
}
