// Finds what an owner must know before it works on a partition: its state, where to go on, and which outputs are
// written.
import { randomUUID } from "node:crypto";
import type { Admin, Kafka } from "kafkajs";
import { createPartition, type LiveSettings, type PartitionState } from "../../projections/live/partition.ts";
import { type KnownVersion, putZones, splitVersions } from "../../projections/live/zones-at.ts";
import type { Codec } from "../../schemas/codec.ts";
import type { Cause } from "../../schemas/events.ts";
import { type OutputTopic, outputTopics, type PerOutput, perOutput } from "../../schemas/outputs.ts";
import { topicIds } from "../common/kafka/log-id.ts";
import { ledInAll, type OffsetRange, offsetRanges } from "../common/kafka/offsets.ts";
import { anotherLog, startOffset } from "../common/kafka/start-offset.ts";
import type { Log } from "../common/log.ts";
import { type LastOutput, type LostEnd, newestCause, readLastOutputs } from "./last-outputs.ts";
import type { LiveStore, Owner, StoredPosition } from "./live-store.ts";
import type { Written } from "./outputs.ts";
import { claimed, untilFree } from "./ownership.ts";
import { rebuildStart, type Traces } from "./rebuild-start.ts";
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
interface Found {
  readonly logId: string;
  readonly logRanges: readonly OffsetRange[];
  readonly outRanges: PerOutput<readonly OffsetRange[]>;
  readonly versions: readonly KnownVersion[];
  readonly outputs: PerOutput<readonly LastOutput[]>;
  readonly recent: ReadonlyMap<number, number>;
  readonly catalogEnd: number;
  readonly committed: ReadonlyMap<number, number>;
}

/** Rejects with a ForeignPosition when the log is not the one that the stored positions belong to. */
export function createTakeOver(deps: TakeOverDeps): TakeOver {
  const { kafka, codec, log, groupId, topics, store } = deps;
  const readVersions = createZoneVersions({ kafka, codec, log, groupPrefix: groupId, topic: topics.zones });
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
        const found = await look(deps, admin, { partitions, nowMs }, () => readVersions(ids.get(topics.zones) ?? ""));
        return Promise.all(partitions.map((partition) => takeOne(deps, owner, partition, { ...found, logId })));
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
  readVersions: () => Promise<readonly KnownVersion[]>,
): Promise<Omit<Found, "logId">> {
  const reading = { kafka, codec, groupPrefix: groupId, partitions, log };
  const [versions, outputs, recent, committed] = await Promise.all([
    readVersions(),
    ofEach((topic) => readLastOutputs({ ...reading, topic, name: topics.outputs[topic] })),
    offsetsAt(admin, topics.cameraLog, nowMs - lookbackMs),
    committedOffsets(admin, groupId, topics.cameraLog),
  ]);
  // After the outputs: no cause of theirs lies beyond an end that was asked for later.
  const logRanges = await offsetRanges(admin, topics.cameraLog, partitions);
  const outRanges = await ofEach((topic) => offsetRanges(admin, topics.outputs[topic], partitions));
  // After the log: the catalog had each change before the log named it.
  return { logRanges, outRanges, versions, outputs, recent, committed, catalogEnd: await catalogEnd() };
}

async function takeOne(deps: TakeOverDeps, owner: Owner, partition: number, found: Found): Promise<TakenOver> {
  const range = rangeOf(found.logRanges, partition);
  if (range === undefined) throw new Error(`no partition ${partition} in ${deps.topics.cameraLog}`);
  const { logId } = found;
  const versions = splitVersions(
    found.versions.filter((version) => version.partition === partition),
    logId,
    range.high,
  );
  const ends = perOutput((topic) => rangeOf(found.outRanges[topic], partition)?.high ?? 0);
  const { newest, lostEnd } = await writtenUpTo(deps, range, ends, found);
  const start = await startOf(deps, range, versions, {
    recent: found.recent.get(partition),
    cause: newestOffset(Object.values(newest)),
    committed: found.committed.get(partition),
  });
  clampGeofences(start.state, found.catalogEnd, deps.log);
  start.state.signalsFrom = signalsFrom(start.stored, found.committed.get(partition), range);
  return {
    partition,
    owner,
    ...start,
    ends,
    tail: range.high,
    written: { logId, lostEnd, newest: { ...newest, ...newestZone(partition, versions.ofThisLog) } },
  };
}

const rangeOf = (ranges: readonly OffsetRange[], wanted: number): OffsetRange | undefined =>
  ranges.find(({ partition }) => partition === wanted);

/** A log that lost its end gives offsets anew: outputs of lost messages must not pass for outputs of new ones. */
async function writtenUpTo(
  { store, log }: TakeOverDeps,
  { partition, high }: OffsetRange,
  outputsEnds: PerOutput<number>,
  { outputs, logId }: Found,
): Promise<Pick<Written, "newest" | "lostEnd">> {
  const newestGiven = (lost: LostEnd | undefined) =>
    perOutput((topic) => {
      const own = outputs[topic].filter((output) => output.partition === partition);
      return newestCause(own, logId, lost && { logEnd: lost.logEnd, outputsEnd: lost.outputsEnds[topic] });
    });
  const { lostEnd } = await store.position(partition);
  const newest = newestGiven(lostEnd);
  const beyond = Object.values(newest).find((cause) => cause !== undefined && cause.offset >= high);
  if (beyond === undefined) return { newest: present(newest), lostEnd: lostEnd && nameOf(lostEnd) };
  log.warn({ partition, logEnd: high, cause: beyond.offset }, "the log has lost its end, its outputs are void");
  const foundNow = { logEnd: high, outputsEnds };
  await store.recordLostEnd(partition, foundNow);
  return { newest: present(newestGiven(foundNow)), lostEnd: nameOf(foundNow) };
}

const nameOf = ({ logEnd, outputsEnds }: LostEnd): string => [logEnd, ...Object.values(outputsEnds)].join("-");

const present = (newest: PerOutput<Cause | undefined>): Written["newest"] =>
  Object.fromEntries(Object.entries(newest).filter(([, cause]) => cause !== undefined));

function newestZone(partition: number, versions: readonly KnownVersion[]): Written["newest"] {
  const newest = versions.at(-1);
  return newest === undefined ? {} : { zones: { partition, offset: newest.offset, index: 0 } };
}

const newestOffset = (causes: readonly Cause[]): number | undefined =>
  causes.length === 0 ? undefined : Math.max(...causes.map(({ offset }) => offset));

async function ofEach<T>(ask: (topic: OutputTopic) => Promise<T>): Promise<PerOutput<T>> {
  const answers = await Promise.all(outputTopics.map(ask));
  return perOutput((topic) => answers[outputTopics.indexOf(topic)] as T);
}

async function startOf(
  { store, settings, log }: TakeOverDeps,
  range: OffsetRange,
  { older, ofThisLog }: ReturnType<typeof splitVersions>,
  traces: Omit<Traces, "stored">,
): Promise<Pick<TakenOver, "state" | "begin" | "stored" | "rebuilding">> {
  const { partition, low } = range;
  const stored = await store.load(partition);
  if (stored?.state !== undefined && stored.next >= low) {
    return { state: stored.state, begin: stored.next, stored: stored.next, rebuilding: false };
  }
  if (stored !== undefined && stored.state === undefined) {
    log.warn({ partition, stored: stored.next }, "redis lost a part of live state");
  }
  const { begin, missed } = rebuildStart(range, { ...traces, stored: stored?.next });
  log.info({ partition, from: begin }, "rebuilding from the log");
  if (missed !== undefined) {
    log.warn({ partition, ...missed }, "retention removed messages that were never processed");
    await store.recordMissed(partition, missed);
  }
  const state = createPartition(partition);
  putZones(state, [...older, ...ofThisLog.filter(({ offset }) => offset < begin)], settings);
  // What the log named before `begin` is not known, but when: the catalog's time of each change says it.
  if (begin > 0) state.geofencesUpTo = Number.NaN;
  return { state, begin, stored: stored?.next, rebuilding: true };
}

/** A catalog that lost its end gives offsets anew, which must not be taken for old ones. */
function clampGeofences(state: PartitionState, catalogEnd: number, log: Log): void {
  if (!(state.geofencesUpTo >= catalogEnd)) return;
  log.warn({ partition: state.partition, geofences: state.geofencesUpTo, catalogEnd }, "the catalog has lost its end");
  state.geofencesUpTo = catalogEnd - 1;
}

/**
 * Signals are in their topic before the position of their message is saved, and it is saved before it is committed. So those of
 * earlier messages were raised, and a rebuild raises only the others.
 */
function signalsFrom(stored: number | undefined, committed: number | undefined, { high }: OffsetRange): number {
  // A position beyond the end belongs to another log.
  const known = [stored, committed].filter((offset) => offset !== undefined && offset <= high) as number[];
  return Math.max(0, ...known);
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
