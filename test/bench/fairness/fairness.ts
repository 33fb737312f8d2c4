// A well-behaved caller, which sends a few queries and mutations a second: alone, beside an analyst with a hundred
// heavy queries at once, and beside a pipeline that sends all it can. The baseline is the same with one token for both:
// fairness is between tokens, so nothing then separates the two.
import { createClient } from "@clickhouse/client";
import { createTokenStore } from "../../../services/cli/tokens/store.ts";
import { clickhouseEnv, kafkaEnv, loadConfig, registryEnv } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createLog } from "../../../services/common/log.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { type PreparedSystem, prepareSystem } from "../../support/running/launch-system.ts";
import { startService } from "../../support/running/processes.ts";
import { type FloodResult, flood } from "../../support/scenes/flood.ts";
import { parameter } from "../config.ts";
import { bodiesOf, createTracks } from "../ingest/ingest.ts";
import { type Comparison, format, quantile } from "../measure.ts";
import { fillHistory, START_MS } from "../query/fill.ts";
import type { BenchStack } from "../stack.ts";

const DAY_MS = 86_400_000;
const DETECTIONS_PER_TRACK = 100;
const CAMERAS = 50;
/** The well-behaved caller. */
const CALM = { queriesPerSecond: 5, mutationsPerSecond: 10, detections: 10 };
/** The analyst has this many heavy queries at once, and repeats a refused one no faster than this. */
const ANALYST = { connections: 100, requestsPerSecond: 200 };
const PIPELINE = { connections: 200, requestsPerSecond: 5_000, detections: 100 };
/** The limits that an operator might set for callers such as the well-behaved one. */
const LIMITS = { API_TOKEN_QUERIES: "10", API_TOKEN_DETECTIONS_PER_S: "10000", API_TOKEN_MUTATIONS: "20" };

type Token = PreparedSystem["token"];
type Greedy = "analyst" | "pipeline";
const GREEDY: readonly Greedy[] = ["analyst", "pipeline"];

interface Scene {
  readonly system: PreparedSystem;
  /** The token of the greedy caller, when it has one of its own. */
  readonly other: Token;
  readonly bodies: Readonly<Record<"light" | "heavy" | "small" | "large", readonly string[]>>;
}

interface Calm {
  readonly queries: FloodResult;
  readonly mutations: FloodResult;
}

export async function benchFairness(stack: BenchStack): Promise<Comparison[]> {
  const system = await prepareSystem(stack.env, `bench_fairness_${Date.now()}`);
  const trackIds = await fill(system);
  const other = await createToken(system);
  const unlimited = await withApi(system, {}, async () => {
    const scene = await createScene(system, other, trackIds);
    await calm(scene);
    const alone = await calm(scene);
    const rows = rowsOf("alone", alone, undefined);
    const shared: Record<Greedy, Calm> = {
      analyst: await beside(scene, "analyst", system.token),
      pipeline: await beside(scene, "pipeline", system.token),
    };
    for (const greedy of GREEDY)
      rows.push(...rowsOf(`beside the ${greedy}`, await beside(scene, greedy, other), shared[greedy]));
    return { rows, scene, shared };
  });
  const { scene, shared } = unlimited;
  const limited = await withApi(system, LIMITS, async () => {
    await calm(scene);
    const rows: Comparison[] = [];
    for (const greedy of GREEDY) {
      rows.push(...rowsOf(`beside the limited ${greedy}`, await beside(scene, greedy, other), shared[greedy]));
    }
    return rows;
  });
  return [...unlimited.rows, ...limited];
}

async function withApi<T>(
  { env }: PreparedSystem,
  settings: Readonly<Record<string, string>>,
  use: () => Promise<T>,
): Promise<T> {
  const api = await startService("api", { ...env, ...settings });
  try {
    return await use();
  } finally {
    await api.stop();
  }
}

async function createScene(system: PreparedSystem, other: Token, trackIds: readonly string[]): Promise<Scene> {
  const recorded = await createTracks(system.client);
  const bodies = {
    light: trackIds.map(lightQuery),
    heavy: [heavyQuery()],
    small: bodiesOf(recorded, CALM.detections),
    large: bodiesOf(recorded, PIPELINE.detections),
  };
  return { system, other, bodies };
}

async function calm({ system, bodies }: Scene): Promise<Calm> {
  const durationMs = parameter("BENCH_FAIRNESS_SECONDS", 20) * 1_000;
  const target = { ...targetOf(system, system.token), durationMs, connections: 50 };
  const [queries, mutations] = await Promise.all([
    flood({ ...target, bodies: bodies.light, requestsPerSecond: CALM.queriesPerSecond }),
    flood({ ...target, bodies: bodies.small, requestsPerSecond: CALM.mutationsPerSecond }),
  ]);
  return { queries, mutations };
}

/** The greedy caller begins a second before the other one, and ends when that one does. */
async function beside(scene: Scene, greedy: Greedy, token: Token): Promise<Calm> {
  const { system, bodies } = scene;
  const durationMs = (parameter("BENCH_FAIRNESS_SECONDS", 20) + 1) * 1_000;
  const load = greedy === "analyst" ? { ...ANALYST, bodies: bodies.heavy } : { ...PIPELINE, bodies: bodies.large };
  const greedyEnds = flood({ ...targetOf(system, token), ...load, durationMs });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const result = await calm(scene);
  print(`${greedy}${token === system.token ? ", same token" : ""}`, await greedyEnds);
  return result;
}

const targetOf = ({ url }: PreparedSystem, token: Token) => ({
  port: Number(new URL(url).port),
  path: "/graphql",
  headers: { "x-token-id": token.id, "x-token-value": token.value },
});

function rowsOf(name: string, ours: Calm, baseline: Calm | undefined): Comparison[] {
  return (["queries", "mutations"] as const).flatMap((kind) => {
    print(`${kind} ${name}`, ours[kind]);
    if (baseline !== undefined) print(`${kind} ${name}, same token`, baseline[kind]);
    return [0.5, 0.99].map((q) => {
      const [own, shared] = [ours[kind], baseline?.[kind]].map((result) => quantile(result?.acceptedMs ?? [], q));
      const figures = { ours: own ?? Number.NaN, baseline: shared ?? Number.NaN };
      const row = { name: `fairness, ${kind} ${name}, p${q * 100}`, unit: "ms", goal: "" };
      return { ...row, ...figures, ratio: figures.ours / figures.baseline };
    });
  });
}

function print(name: string, { sent, acceptedMs, refused, otherCount, others }: FloodResult): void {
  const times = [0.5, 0.99, 1].map((q) => format(quantile(acceptedMs, q))).join(", ");
  const text = `${sent} sent, ${acceptedMs.length} accepted (p50, p99, most: ${times} ms), ${refused} refused`;
  process.stderr.write(`  ${name}: ${text}, ${otherCount} others ${others.join(" ")}\n`);
}

/** Fills a month, and returns the ids of some tracks in it. */
async function fill({ env }: PreparedSystem): Promise<string[]> {
  const tracks = parameter("BENCH_FAIRNESS_DETECTIONS", 3_000_000) / DETECTIONS_PER_TRACK;
  const trackEveryMs = Math.floor((30 * DAY_MS * CAMERAS) / tracks);
  const config = loadConfig(clickhouseEnv, env);
  const client = createClient({
    url: config.CLICKHOUSE_URL,
    username: config.CLICKHOUSE_USER,
    password: config.CLICKHOUSE_PASSWORD,
    database: config.CLICKHOUSE_DATABASE,
    request_timeout: 600_000,
  });
  try {
    await fillHistory(client, {
      ...{ cameras: CAMERAS, tracks, trackEveryMs, zones: 1_000 },
      detectionsPerTrack: DETECTIONS_PER_TRACK,
    });
    const query = "SELECT DISTINCT track_id AS id FROM tracks_v1 LIMIT 200";
    const rows = await (await client.query({ query, format: "JSONEachRow" })).json<{ id: string }>();
    return rows.map(({ id }) => id);
  } finally {
    await client.close();
  }
}

const lightQuery = (id: string): string =>
  JSON.stringify({
    query: "query ($id: ID!) { track(id: $id) { id startTime detections(first: 20) { timestamp } } }",
    variables: { id },
  });

function heavyQuery(): string {
  const [startTime, endTime] = [START_MS, START_MS + 30 * DAY_MS].map((ms) => new Date(ms).toISOString());
  return JSON.stringify({
    query: `query ($startTime: DateTimeOffset!, $endTime: DateTimeOffset!) {
      detectionsSummary(startTime: $startTime, endTime: $endTime, detectionsBucket: { size: DAYS, fields: [TAG] }) { total buckets { total } }
    }`,
    variables: { startTime, endTime },
  });
}

async function createToken({ env, namespace }: PreparedSystem): Promise<Token> {
  const log = createLog("bench", "silent");
  const kafka = createKafka("bench", loadConfig(kafkaEnv, env), log);
  const codec = await createCodec(loadConfig(registryEnv, env));
  return createTokenStore({ kafka, codec, namespace, log, now: Date.now }).create("greedy", ["read", "write"]);
}
