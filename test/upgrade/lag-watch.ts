// The lag of every reader of the log in seconds: for how long its oldest message has been waiting. It is computed from
// the ends of the topics and from the positions in the stores, so it needs no process to be there and to tell it.
import { setTimeout as delay } from "node:timers/promises";
import { projectedUpTo } from "../../projections/history/queries/positions.ts";
import { alignedTopics } from "../../schemas/outputs.ts";
import { deliveryKeys, partitionKeys } from "../../schemas/redis-keys.ts";
import { type Topic, topicName } from "../../schemas/topics.ts";
import { loadConfig, redisEnv } from "../../services/common/config.ts";
import { offsetRanges } from "../../services/common/kafka/offsets.ts";
import { createLog } from "../../services/common/log.ts";
import { createRedis, redisDatabase } from "../../services/common/redis/client.ts";
import type { Inspector } from "../support/clients/final-state-inspector.ts";

export type Reader = "state-machine" | "projector" | "webhooks";

export interface LagWatch {
  /** Returns the largest lag of each reader since the last call, ms. */
  take(): Readonly<Record<Reader, number>>;
  /** Resolves when no reader lags behind more than usual, or after `withinMs`. */
  back(withinMs: number, usual: Readonly<Record<Reader, number>>): Promise<void>;
  stop(): Promise<void>;
}

const SAMPLE_MS = 250;
/** The projector inserts twice a second at most under this load, and a sample is up to half a second old. */
const NORMAL_MS = 2_000;
/** The database of the queues of webhooks. */
const WEBHOOKS_DATABASE = 1;

const PROJECTED = ["camera-log", ...alignedTopics] as const;
const WATCHED: readonly Topic[] = [...PROJECTED, "signals"];

interface End {
  /** The messages up to the end came after this time. */
  readonly at: number;
  readonly end: number;
}

export async function watchLag(inspector: Inspector, env: Readonly<Record<string, string>>): Promise<LagWatch> {
  const { kafka, namespace, redis, clickhouse } = inspector;
  const admin = kafka.admin();
  const queues = createRedis(redisDatabase(loadConfig(redisEnv, env), WEBHOOKS_DATABASE), createLog("test", "silent"));
  await Promise.all([admin.connect(), queues.start()]);
  const ends = new Map<string, End[]>();
  let largest = none();
  let present = { at: performance.now(), lag: none() };
  let watching = true;

  /** Resolves with the next offset of each reader's partition, by `reader topic/partition`. */
  async function positions(partitions: ReadonlyMap<Topic, readonly number[]>): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    const inRedis = async (reader: Reader, topic: Topic, keyOf: (partition: number) => string, from: typeof redis) => {
      const known = partitions.get(topic) ?? [];
      const nexts = await Promise.all(known.map((partition) => from.hget(keyOf(partition), "next")));
      for (const [i, partition] of known.entries()) found.set(`${reader} ${topic}/${partition}`, Number(nexts[i]));
    };
    const inHistory = async (topic: Topic) => {
      const projected = await projectedUpTo(clickhouse, topicName(namespace, topic));
      for (const partition of partitions.get(topic) ?? []) {
        found.set(`projector ${topic}/${partition}`, projected.get(partition) ?? 0);
      }
    };
    await Promise.all([
      inRedis("state-machine", "camera-log", (partition) => partitionKeys(namespace, partition).position, redis),
      inRedis("webhooks", "signals", (partition) => deliveryKeys(namespace, partition).position, queues.client),
      ...PROJECTED.map(inHistory),
    ]);
    return found;
  }

  async function sample(): Promise<void> {
    const after = present.at;
    const at = performance.now();
    const partitions = new Map<Topic, number[]>();
    for (const topic of WATCHED) {
      const ranges = (await offsetRanges(admin, topicName(namespace, topic))).filter(({ high }) => high > 0);
      partitions.set(
        topic,
        ranges.map(({ partition }) => partition),
      );
      for (const { partition, high } of ranges) add(ends, `${topic}/${partition}`, { at: after, end: high });
    }
    const lag = none();
    for (const [place, next] of await positions(partitions)) {
      const [reader = "", partition = ""] = place.split(" ");
      const since = waitingSince(ends.get(partition) ?? [], next);
      if (since !== undefined && isReader(reader)) lag[reader] = Math.max(lag[reader], performance.now() - since);
    }
    present = { at, lag };
    for (const reader of READERS) largest[reader] = Math.max(largest[reader], lag[reader]);
  }

  const watched = (async () => {
    while (watching) {
      await sample();
      await delay(SAMPLE_MS);
    }
  })();
  watched.catch(() => undefined);

  return {
    take() {
      const taken = largest;
      largest = none();
      return taken;
    },
    async back(withinMs, usual) {
      const begun = performance.now();
      const isUsual = (reader: Reader) => present.lag[reader] <= Math.max(usual[reader], NORMAL_MS);
      const isBack = () => present.at >= begun && READERS.every(isUsual);
      while (!isBack() && performance.now() - begun < withinMs) await Promise.race([delay(SAMPLE_MS), watched]);
    },
    async stop() {
      watching = false;
      await watched;
      await Promise.all([admin.disconnect(), queues.stop()]);
    },
  };
}

const READERS = ["state-machine", "projector", "webhooks"] as const satisfies readonly Reader[];
const none = (): Record<Reader, number> => ({ "state-machine": 0, projector: 0, webhooks: 0 });
const isReader = (name: string): name is Reader => READERS.some((reader) => reader === name);

function add(ends: Map<string, End[]>, partition: string, end: End): void {
  const known = ends.get(partition) ?? [];
  ends.set(partition, known);
  if (known.at(-1)?.end !== end.end) known.push(end);
}

/** @returns undefined when the reader has everything. */
const waitingSince = (ends: readonly End[], next: number): number | undefined => ends.find(({ end }) => end > next)?.at;
