// Finds what an owner must know before it works on a partition: its state, where to go on, and which outputs are
// written.
import { randomUUID } from "node:crypto";
import type { Admin, Kafka } from "kafkajs";
import type { LiveSettings, PartitionState } from "../../projections/live/partition.ts";
import type { Codec } from "../../schemas/codec.ts";
import { type OutputTopic, outputTopics, type PerOutput, perOutput } from "../../schemas/outputs.ts";
import { topicIds } from "../common/kafka/log-id.ts";
import { ledInAll, type OffsetRange, offsetRanges } from "../common/kafka/offsets.ts";
import { anotherLog, startOffset } from "../common/kafka/start-offset.ts";
import type { Log } from "../common/log.ts";
import { type LastOutput, readLastOutputs } from "./last-outputs.ts";
import type { LiveStore, Owner, StoredPosition } from "./live-store.ts";
import type { Written } from "./outputs.ts";
import { claimed, untilFree } from "./ownership.ts";
import { startPartitions } from "./start-partitions.ts";
import { createZoneVersions } from "./zone-versions.ts";

export interface TakenOver {
  readonly partition: number;
  /** Names this takeover in Redis. */
  readonly owner: Owner;
  readonly state: PartitionState;
  /** Camera-log offset to begin with. */
  readonly begin: number;
  /** The position that Redis holds. */
  readonly stored: number | undefined;
  /** Redis held nothing whole to go on from: the state begins empty at `begin` and must replace what is there. */
  readonly rebuilding: boolean;
  /** Where the partition of each topic of outputs ends. */
  readonly ends: PerOutput<number>;
  /** End of the camera-log partition now: before it, the log may still hold expiries of an earlier owner. */
  readonly tail: number;
  readonly written: Written;
}

export interface TakeOverDeps {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly store: LiveStore;
  readonly log: Log;
  readonly settings: LiveSettings;
  /** The settings that shape results, as one text. */
  readonly agreed: string;
  readonly lookbackMs: number;
  /** Resolves with the end of the catalog once `settings.geofences` know it up to there. */
  readonly catalogEnd: () => Promise<number>;
  /** The group whose commits say how far the log was processed. */
  readonly groupId: string;
  readonly topics: {
    readonly cameraLog: string;
    readonly zones: string;
    readonly outputs: PerOutput<string>;
  };
}

/**
 * One call at a time. Leaves out a partition that no broker leads in the camera-log or in a topic of outputs. Gives nothing
 * when the signal came before the partitions were free.
 */
export type TakeOver = (partitions: readonly number[], nowMs: number, signal: AbortSignal) => Promise<TakenOver[]>;

/** The findings in the topics and the group, for all partitions. */
export interface TakeOverFindings {
  readonly logId: string;
  readonly logRanges: readonly OffsetRange[];
  readonly outRanges: PerOutput<readonly OffsetRange[]>;
  readonly outputs: PerOutput<readonly LastOutput[]>;
  readonly recent: ReadonlyMap<number, number>;
  readonly catalogEnd: number;
  readonly committed: ReadonlyMap<number, number>;
}

/** Rejects with a ForeignPosition when the log is not the one that the stored positions belong to. */
export function createTakeOver(deps: TakeOverDeps): TakeOver {
  const { kafka, codec, log, groupId, topics, store } = deps;
  const zoneVersions = createZoneVersions({ kafka, codec, log, groupPrefix: groupId, topic: topics.zones });
  return async (assigned, nowMs, signal) => {
    const admin = kafka.admin();
    await admin.connect();
    try {
      const led = await ledInAll(admin, [topics.cameraLog, ...Object.values(topics.outputs)]);
      const partitions = assigned.filter((partition) => led.has(partition));
      if (!(await untilFree(store, partitions, { log, signal }))) return [];
      const ids = await topicIds(kafka, [topics.cameraLog, topics.zones]);
      const logId = ids.get(topics.cameraLog) ?? "";
      const positions = await Promise.all(partitions.map((partition) => store.position(partition)));
      await checkLog(deps, admin, partitions, positions, logId);
      sayWhatChanged(deps, positions);
      const owner = { name: randomUUID(), logId, settings: deps.agreed };
      return await claimed(store, partitions, owner, async () => {
        const catchUp = () => zoneVersions.catchUp(ids.get(topics.zones) ?? "", logId);
        const found = { ...(await look(deps, admin, { partitions, nowMs }, catchUp)), logId };
        return startPartitions(deps, owner, partitions, found, zoneVersions);
      });
    } finally {
      await admin.disconnect();
    }
  };
}

async function checkLog(
  { topics }: TakeOverDeps,
  admin: Admin,
  partitions: readonly number[],
  positions: readonly StoredPosition[],
  logId: string,
): Promise<void> {
  const topic = topics.cameraLog;
  const starts = partitions.map((partition, i) => ({ topic, partition, offset: positions[i]?.next }));
  for (const [i, { partition, offset }] of starts.entries()) {
    const stored = positions[i]?.logId;
    if (offset !== undefined && stored !== undefined && stored !== logId) {
      throw anotherLog({ topic, partition }, offset);
    }
  }
  const ranges = await offsetRanges(admin, topic, partitions);
  for (const start of starts) startOffset(start, ranges);
}

/** The group admits only members with the same settings, so other settings are those of instances that are gone. */
function sayWhatChanged({ log, agreed }: TakeOverDeps, positions: readonly StoredPosition[]): void {
  const before = new Set(positions.map(({ settings }) => settings));
  for (const settings of before) {
    if (settings === undefined || settings === agreed) continue;
    log.warn({ before: settings, now: agreed }, "settings that shape results have changed");
  }
}

async function look(
  { kafka, codec, log, groupId, topics, lookbackMs, catalogEnd }: TakeOverDeps,
  admin: Admin,
  { partitions, nowMs }: { readonly partitions: readonly number[]; readonly nowMs: number },
  catchUp: () => Promise<void>,
): Promise<Omit<TakeOverFindings, "logId">> {
  const reading = { kafka, codec, groupPrefix: groupId, partitions, log };
  const [outputs, recent, committed] = await Promise.all([
    ofEach((topic) => readLastOutputs({ ...reading, topic, name: topics.outputs[topic] })),
    offsetsAt(admin, topics.cameraLog, nowMs - lookbackMs),
    committedOffsets(admin, groupId, topics.cameraLog),
    catchUp(),
  ]);
  // After the outputs: no cause of theirs lies beyond an end that was asked for later.
  const logRanges = await offsetRanges(admin, topics.cameraLog, partitions);
  const outRanges = await ofEach((topic) => offsetRanges(admin, topics.outputs[topic], partitions));
  // After the log: the catalog had each change before the log named it.
  return { logRanges, outRanges, outputs, recent, committed, catalogEnd: await catalogEnd() };
}

async function ofEach<T>(ask: (topic: OutputTopic) => Promise<T>): Promise<PerOutput<T>> {
  const answers = await Promise.all(outputTopics.map(ask));
  return perOutput((topic) => answers[outputTopics.indexOf(topic)] as T);
}

async function offsetsAt(admin: Admin, topic: string, timeMs: number): Promise<Map<number, number>> {
  const found = await admin.fetchTopicOffsetsByTimestamp(topic, timeMs);
  return new Map(found.map(({ partition, offset }) => [partition, Number(offset)]));
}

/** Empty for a group that never committed. */
async function committedOffsets(admin: Admin, groupId: string, topic: string): Promise<Map<number, number>> {
  const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
  const known = found?.partitions.filter(({ offset }) => Number(offset) >= 0) ?? [];
  return new Map(known.map(({ partition, offset }) => [partition, Number(offset)]));
}
