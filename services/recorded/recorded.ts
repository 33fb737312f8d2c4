// The log and the history as all replays of a process read them: with bounds on the reads at a time and their bytes.
import type { Admin, Kafka } from "kafkajs";
import type { z } from "zod";
import { projectedUpTo } from "../../projections/history/queries/positions.ts";
import type { QueryClient } from "../../projections/history/queries/run.ts";
import type { ReplaySpec, Segment } from "../../projections/replay/session.ts";
import { eventBoundsOf } from "../../schemas/bounds.ts";
import { topicName } from "../../schemas/topics.ts";
import { MIB } from "../../schemas/units.ts";
import { type ClickHouseConfig, createClickHouse, databaseOf } from "../common/clickhouse.ts";
import type { ServiceConfig } from "../common/config.ts";
import { type FoldConfig, foldSettings } from "../common/fold-config.ts";
import { topicIds } from "../common/kafka/log-id.ts";
import { offsetRanges } from "../common/kafka/offsets.ts";
import { createLogFetcher, type LogFetcher } from "../common/kafka/read/fetch-log.ts";
import { closingPart, type Part } from "../common/lifecycle.ts";
import type { Assembling } from "../common/process/service.ts";
import { shareCalls } from "../common/share-calls.ts";
import { createTurns } from "../common/turns.ts";
import type { recordedEnv } from "./config.ts";
import { createHistoryBudget } from "./history-budget.ts";
import type { LiveAtDeps } from "./live-at.ts";
import { makePlan } from "./make-plan.ts";
import type { RecordedStores } from "./read-segment.ts";

export interface RecordedConfig
  extends Pick<ServiceConfig, "TRACKLOG_NAMESPACE">,
    Partial<Pick<ServiceConfig, "CAMERA_PARTITIONS">>,
    ClickHouseConfig,
    FoldConfig,
    Pick<z.output<typeof recordedEnv>, "REPLAY_READS" | "REPLAY_WARM_UP_MS"> {}

export interface RecordedOptions extends Assembling<RecordedConfig> {
  readonly kafka: Kafka;
  /** Resolves when the process may continue its work. */
  readonly throttle: () => Promise<void>;
}

/** The part of a request that decides which segments are read. */
export type PlanChoice = Pick<ReplaySpec, "selection" | "settings">;

export interface Recorded {
  readonly makePlan: (choice: PlanChoice, signal: AbortSignal) => Promise<Segment[]>;
  /** Resolves with the stores as they are now, for a reading that ends at the present ends of the topics. */
  readonly prepare: (signal: AbortSignal) => Promise<RecordedStores>;
  /** The stores for live state at a past moment. */
  readonly moments: (signal: AbortSignal) => Promise<Omit<LiveAtDeps, "settings" | "pace" | "lastSourceOf">>;
  /** In the order in which they start. */
  readonly parts: readonly Part[];
}

/** Every waiting session holds this many bytes. */
export const FETCH_BYTES = 256 * 1024;
/** Bytes of the history that all sessions may hold together. */
const HISTORY_BYTES = 128 * MIB;
/** The client waits for 30 s: the store itself must have given a query up by then, or it would continue for nobody. */
const QUERY_S = 20;
/** The minimum time between two queries for the positions of the history, counted over all sessions. */
const POSITIONS_PAUSE_MS = 1_000;

export function createRecorded({ config, codec, kafka, log, throttle }: RecordedOptions): Recorded {
  const topic = topicName(config.TRACKLOG_NAMESPACE, "camera-log");
  const admin = kafka.admin();
  const logFetcher = createLogFetcher(kafka, FETCH_BYTES);
  const clickhouse = createClickHouse(config, databaseOf(config), { max_execution_time: QUERY_S });
  const gate = createTurns(config.REPLAY_READS).run;
  const history: QueryClient = { query: (params) => gate(() => clickhouse.query(params)) };
  const fetcher: Pick<LogFetcher, "fetch"> = { fetch: (id, offset) => gate(() => logFetcher.fetch(id, offset)) };
  const { trackTtlMs, forgetAfterMs } = foldSettings(config);
  const reading = {
    fetcher,
    topic,
    history,
    trackTtlMs,
    forgetAfterMs,
    warmUpMs: config.REPLAY_WARM_UP_MS,
  };
  const bounds = eventBoundsOf(config);
  const historyBudget = createHistoryBudget(HISTORY_BYTES);
  /** Sessions that begin at the same time share the answer. */
  const present = shareCalls(() => presentOf(kafka, admin, config.TRACKLOG_NAMESPACE));
  /** Sessions that wait for the same history share the answer, too. */
  const upTo = shareCalls(() => projectedUpTo(history, topic), POSITIONS_PAUSE_MS);

  /** Callers wait for the answer, so there is no pause. */
  const upToNow = shareCalls(() => projectedUpTo(history, topic));
  const prepare = async (signal: AbortSignal) => ({
    ...reading,
    ...(await present()),
    codec,
    bounds,
    log,
    signal,
    historyBudget,
    throttle,
  });

  return {
    makePlan: ({ selection, settings }, signal) => {
      // With the longer of the two, the tracks that are present at the beginning are found in any case.
      const trackTtlMs = Math.max(reading.trackTtlMs, settings.trackTtlMs ?? 0);
      return makePlan(selection, { ...reading, trackTtlMs, projectedUpTo: upTo, admin, signal });
    },
    prepare,
    moments: async (signal) => ({ ...(await prepare(signal)), admin, projectedUpTo: upToNow }),
    parts: [connected(admin), logFetcher, closingPart("history", () => clickhouse.close())],
  };
}

/** Resolves with the ends of the topics, and the id of the camera-log. */
async function presentOf(kafka: Kafka, admin: Admin, namespace: string) {
  const topic = topicName(namespace, "camera-log");
  const zonesTopic = topicName(namespace, "zones");
  // The zones are read first: their versions belong to messages that the camera-log had before them.
  const [{ low: begin, high: end } = { low: 0, high: 0 }] = await offsetRanges(admin, zonesTopic);
  const highs = (await offsetRanges(admin, topic)).map(({ high }) => high);
  const logId = (await topicIds(kafka, [topic])).get(topic) ?? "";
  return { zones: { topic: zonesTopic, partition: 0, begin, end }, highs, logId };
}

const connected = (admin: Admin): Part => ({ name: "admin", start: admin.connect, stop: admin.disconnect });
