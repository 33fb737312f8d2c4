// Trials of zones over a camera's day, as the API runs them, against the least that ClickHouse must do for the same
// answer: it reads the outlines of all detections, and counts those near the zone.
import type { ClickHouseClient } from "@clickhouse/client";
import { DAY_MS } from "../../../schemas/units.ts";
import { createTrials, type TrialRequest } from "../../../services/api/read/trials.ts";
import { createClickHouse } from "../../../services/common/clickhouse.ts";
import { clickhouseEnv, loadConfig } from "../../../services/common/config.ts";
import { migrateDatabase } from "../../../services/projector/migrate-database.ts";
import { until } from "../../support/running/processes.ts";
import { parameter } from "../config.ts";
import { type Comparison, compare } from "../measure.ts";
import type { BenchStack } from "../stack.ts";
import { CAMERA, DAY_START_MS, fillDay } from "./fill.ts";

const BOXES = 30;
const FRAMES_PER_S = 5;
const ROUNDS = 3;
const PATIENCE_MS = 600_000;
const PIECE_DETECTIONS = 500_000;

/** Zones of an image of 1 920 x 1 080 px. */
const zones: Readonly<Record<string, readonly number[]>> = {
  "a gate": [900, 500, 1_020, 520, 1_000, 640, 880, 620, 900, 500],
  "an eighth of the image": [600, 400, 1_150, 430, 1_120, 900, 640, 870, 600, 400],
};

export async function benchTrial(stack: BenchStack): Promise<Comparison[]> {
  const hours = parameter("BENCH_TRIAL_HOURS", 24);
  const database = `bench_trial_${Date.now()}`;
  const config = loadConfig(clickhouseEnv, { ...stack.env, CLICKHOUSE_DATABASE: database });
  await migrateDatabase(config, database);
  const client = createClickHouse(config, database);
  try {
    const startedAt = performance.now();
    await fillDay(client, { boxes: BOXES, frames: hours * 3_600 * FRAMES_PER_S });
    process.stderr.write(`  made in ${Math.round((performance.now() - startedAt) / 1_000)} s\n`);
    await merged(client);
    const results: Comparison[] = [];
    for (const [name, ring] of Object.entries(zones)) results.push(await tried(client, name, ring));
    return results;
  } finally {
    await client.command({ query: `DROP DATABASE IF EXISTS ${database}` });
    await client.close();
  }
}

function tried(client: ClickHouseClient, name: string, ring: readonly number[]): Promise<Comparison> {
  const trials = createTrials({
    ...{ trackTtlMs: 15_000, reorderMs: 0, now: Date.now },
    ...{
      pieceDetections: PIECE_DETECTIONS,
      leastPiece: PIECE_DETECTIONS,
      maxDetections: 20_000_000,
      maxCandidates: 5_000_000,
    },
  });
  return compare({
    name: `trial, ${name}`,
    unit: "ms",
    goal: "ours <= 5 000",
    rounds: ROUNDS,
    ours: async () => {
      const startedAt = performance.now();
      const { totals } = await trials.run({ tokenId: "", client }, requestOf(ring));
      const tookMs = performance.now() - startedAt;
      process.stderr.write(`  ${JSON.stringify(totals)}\n`);
      return tookMs;
    },
    baseline: async () => {
      const startedAt = performance.now();
      await (await client.query({ query: nearCount(ring), format: "JSONEachRow" })).json();
      return performance.now() - startedAt;
    },
  });
}

const requestOf = (ring: readonly number[]): TrialRequest => ({
  range: { dataSourceId: CAMERA, from: DAY_START_MS, to: DAY_START_MS + DAY_MS },
  zone: {
    ...{ zoneId: "tried", dataSourceId: CAMERA, name: "tried", active: true, createdAt: 0, updatedAt: 0 },
    ...{ polygon: { rings: [ring], crs: null }, anchor: "area", enterDetections: 1, exitDelayMs: 0 },
  },
  isWanted: () => true,
  most: 21,
  after: undefined,
});

function nearCount(ring: readonly number[]): string {
  const axis = (odd: 0 | 1) => ring.filter((_, i) => i % 2 === 1 - odd);
  const [x, y] = [axis(1), axis(0)];
  const of = (odd: 0 | 1) => `arrayFilter((_, at) -> at % 2 = ${odd}, outline, arrayEnumerate(outline))`;
  return `SELECT countIf(arrayMin(${of(1)}) < ${Math.max(...x)} AND arrayMax(${of(1)}) > ${Math.min(...x)}
      AND arrayMin(${of(0)}) < ${Math.max(...y)} AND arrayMax(${of(0)}) > ${Math.min(...y)}) AS near
    FROM (SELECT rings[1] AS outline FROM detections_v1 WHERE data_source_id = '${CAMERA}')`;
}

/** Waits until ClickHouse has merged the parts, as it has those of a day that is past. */
async function merged(client: ClickHouseClient): Promise<void> {
  const query = "SELECT count() AS running FROM system.merges WHERE database = currentDatabase()";
  await until(
    async () => {
      const [row] = await (await client.query({ query, format: "JSONEachRow" })).json<{ running: string }>();
      return Number(row?.running) === 0;
    },
    { timeoutMs: PATIENCE_MS, pauseMs: 1_000 },
  );
}
