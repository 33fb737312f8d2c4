// Finds everything that an owner needs before it works on a partition: its state, the position to continue from, and
// the outputs already written.
import { randomUUID } from "node:crypto";
import type { Admin } from "kafkajs";
import { type AlignedTopic, alignedTopics, type PerAligned, perAligned } from "../../../schemas/outputs.ts";
import { topicIds } from "../../common/kafka/log-id.ts";
import { ledInAll, offsetRanges, offsetsSince } from "../../common/kafka/offsets.ts";
import { anotherLog, startOffset } from "../../common/kafka/read/start-offset.ts";
import { isFilling } from "../../common/kafka/write/filling.ts";
import type { StoredPosition } from "../store/live-store.ts";
import { claimed, untilFree } from "./claims.ts";
import { readLastOutputs } from "./last-outputs.ts";
import { startPartitions } from "./start-partitions.ts";
import type { TakeOver, TakeOverDeps, TakeOverFindings } from "./taken-over.ts";
import { createZoneVersions } from "./zone-versions.ts";

/** Rejects with a ForeignPosition when the stored positions belong to another log. */
export function createTakeOver(deps: TakeOverDeps): TakeOver {
  const { kafka, codec, log, groupId, topics, store } = deps;
  const zoneVersions = createZoneVersions({ kafka, codec, log, groupPrefix: groupId, topic: topics.outputs.zones });
  return async (assigned, nowMs, signal) => {
    const admin = kafka.admin();
    await admin.connect();
    try {
      const led = await ledInAll(admin, [topics.cameraLog, ...alignedTopics.map((topic) => topics.outputs[topic])]);
      const partitions = assigned.filter((partition) => led.has(partition));
      if (!(await untilFree(store, partitions, { log, signal }))) return [];
      const ids = await topicIds(kafka, [topics.cameraLog, topics.outputs.zones]);
      const logId = ids.get(topics.cameraLog) ?? "";
      const positions = await Promise.all(partitions.map((partition) => store.position(partition)));
      await checkLog(deps, admin, partitions, positions, logId);
      warnChangedSettings(deps, positions);
      const owner = { name: randomUUID(), logId, settings: deps.agreed };
      return await claimed(store, partitions, owner, async () => {
        const catchUp = () => zoneVersions.catchUp(ids.get(topics.outputs.zones) ?? "", logId);
        const isBeingFilled = await isFilling(admin, topics.cameraLog);
        const found = { ...(await readFindings(deps, admin, { partitions, nowMs }, catchUp)), logId, isBeingFilled };
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

/**
 * Logs settings that have changed. The group admits only members with the same settings, so other settings belong to
 * instances that have stopped.
 */
function warnChangedSettings({ log, agreed }: TakeOverDeps, positions: readonly StoredPosition[]): void {
  const before = new Set(positions.map(({ settings }) => settings));
  for (const settings of before) {
    if (settings === undefined || settings === agreed) continue;
    log.warn({ before: settings, now: agreed }, "settings that shape results have changed");
  }
}

async function readFindings(
  { kafka, codec, log, groupId, topics, lookbackMs, catalogEnd }: TakeOverDeps,
  admin: Admin,
  { partitions, nowMs }: { readonly partitions: readonly number[]; readonly nowMs: number },
  catchUp: () => Promise<void>,
): Promise<Omit<TakeOverFindings, "logId" | "isBeingFilled">> {
  const reading = { kafka, codec, groupPrefix: groupId, partitions, log };
  const [outputs, recent, committed] = await Promise.all([
    ofEach((topic) => readLastOutputs({ ...reading, topic, name: topics.outputs[topic] })),
    offsetsSince(admin, topics.cameraLog, nowMs - lookbackMs, partitions),
    committedOffsets(admin, groupId, topics.cameraLog),
    catchUp(),
  ]);
  // The log's ranges are read after the outputs: no cause of theirs then lies beyond the end.
  const logRanges = await offsetRanges(admin, topics.cameraLog, partitions);
  const outRanges = await ofEach((topic) => offsetRanges(admin, topics.outputs[topic], partitions));
  // The catalog's end is read after the log's: the catalog had each change before the log named it.
  return { logRanges, outRanges, outputs, recent, committed, catalogEnd: await catalogEnd() };
}

async function ofEach<T>(ask: (topic: AlignedTopic) => Promise<T>): Promise<PerAligned<T>> {
  const answers = await Promise.all(alignedTopics.map(ask));
  return perAligned((topic) => answers[alignedTopics.indexOf(topic)] as T);
}

/** Returns an empty map for a group that never committed. */
async function committedOffsets(admin: Admin, groupId: string, topic: string): Promise<Map<number, number>> {
  const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
  const known = found?.partitions.filter(({ offset }) => Number(offset) >= 0) ?? [];
  return new Map(known.map(({ partition, offset }) => [partition, Number(offset)]));
}
