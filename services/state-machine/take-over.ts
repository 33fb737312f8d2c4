// What must be known before a partition is worked on: its state and where to go on, and which outputs already stand.
import { randomUUID } from "node:crypto";
import type { Admin, Kafka } from "kafkajs";
import { apply, createPartition, type LiveSettings, type PartitionState } from "../../projections/live/partition.ts";
import type { Codec } from "../../schemas/codec.ts";
import type { Cause, ZoneVersion } from "../../schemas/events.ts";
import { type OffsetRange, offsetRanges } from "../common/kafka/offsets.ts";
import { type ReadMessage, readLast } from "../common/kafka/read-some.ts";
import type { Log } from "../common/log.ts";
import type { LiveStore } from "./live-store.ts";
import { isBeyond, type Written } from "./outputs.ts";
import { rebuildStart, type Traces } from "./rebuild-start.ts";
import { createZoneVersions } from "./zone-versions.ts";

export interface TakenOver {
  readonly partition: number;
  /** Names this takeover in Redis. */
  readonly owner: string;
  readonly state: PartitionState;
  /** Camera-log offset to begin with. */
  readonly begin: number;
  /** What Redis holds as its position. */
  readonly stored: number | undefined;
  /** Redis held nothing to go on from: the state begins empty at `begin` and must replace what is there. */
  readonly rebuilding: boolean;
  readonly intersectionsEnd: number;
  /** End of the camera-log partition now: before it, expiries of an earlier owner may still stand in the log. */
  readonly tail: number;
  readonly written: Written;
}

export interface TakeOverDeps {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly store: LiveStore;
  readonly log: Log;
  readonly settings: LiveSettings;
  readonly lookbackMs: number;
  /** Whose commits say how far the log was processed. */
  readonly groupId: string;
  readonly topics: { readonly cameraLog: string; readonly intersections: string; readonly zones: string };
}

/** One call at a time. */
export type TakeOver = (partitions: readonly number[], nowMs: number) => Promise<TakenOver[]>;

/** What the topics say, for all partitions. */
interface Found {
  readonly logRanges: readonly OffsetRange[];
  readonly outRanges: readonly OffsetRange[];
  readonly versions: readonly ZoneVersion[];
  readonly causes: ReadonlyMap<number, Cause>;
  readonly recent: ReadonlyMap<number, number>;
  readonly committed: ReadonlyMap<number, number>;
}

const POLL_MS = 50;
const GIVE_UP_MS = 10_000;
/** The very last message may be one that somebody redrove, or garbage. */
const LAST_OUTPUTS = 20;

export function createTakeOver(deps: TakeOverDeps): TakeOver {
  const { kafka, codec, log, groupId, topics } = deps;
  const readVersions = createZoneVersions({ kafka, codec, log, groupPrefix: groupId, topic: topics.zones });
  return async (partitions, nowMs) => {
    await untilFree(deps, partitions);
    // Before looking what was written: whoever comes next must see that somebody may be writing again.
    const owner = randomUUID();
    await Promise.all(partitions.map((partition) => deps.store.claim(partition, owner)));
    const admin = kafka.admin();
    await admin.connect();
    try {
      const found = await look(deps, admin, readVersions, nowMs);
      return await Promise.all(partitions.map((partition) => takeOne(deps, owner, partition, found)));
    } finally {
      await admin.disconnect();
    }
  };
}

async function look(
  { kafka, codec, log, groupId, topics, lookbackMs }: TakeOverDeps,
  admin: Admin,
  readVersions: () => Promise<readonly ZoneVersion[]>,
  nowMs: number,
): Promise<Found> {
  const lastOutputs = { kafka, groupPrefix: groupId, topic: topics.intersections, log };
  const [logRanges, outRanges, versions, causes, recent, committed] = await Promise.all([
    offsetRanges(admin, topics.cameraLog),
    offsetRanges(admin, topics.intersections),
    readVersions(),
    readLast(lastOutputs, LAST_OUTPUTS).then((found) => lastCauses(codec, found)),
    offsetsAt(admin, topics.cameraLog, nowMs - lookbackMs),
    committedOffsets(admin, groupId, topics.cameraLog),
  ]);
  return { logRanges, outRanges, versions, causes, recent, committed };
}

async function takeOne(deps: TakeOverDeps, owner: string, partition: number, found: Found): Promise<TakenOver> {
  const range = found.logRanges[partition];
  if (range === undefined) throw new Error(`no partition ${partition} in ${deps.topics.cameraLog}`);
  const versions = found.versions.filter((version) => version.partition === partition);
  const start = await startOf(deps, range, versions, {
    recent: found.recent.get(partition),
    cause: found.causes.get(partition)?.offset,
    committed: found.committed.get(partition),
  });
  return {
    partition,
    owner,
    ...start,
    intersectionsEnd: found.outRanges[partition]?.high ?? 0,
    tail: range.high,
    written: { intersection: found.causes.get(partition), zoneVersion: versions.at(-1)?.offset },
  };
}

/**
 * Which outputs stand in the topics is read once, so an earlier owner must have written its last. One that was killed
 * is given up after a moment; one that hangs for longer asks the group before it writes.
 */
async function untilFree({ store, log }: TakeOverDeps, partitions: readonly number[]): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  let busy = partitions;
  for (;;) {
    const free = await Promise.all(busy.map((partition) => store.isFree(partition)));
    busy = busy.filter((_, i) => free[i] === false);
    if (busy.length === 0) return;
    if (performance.now() > giveUpAt) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  log.warn({ partitions: busy }, "earlier owner does not let go");
}

async function startOf(
  { store, settings, log }: TakeOverDeps,
  range: OffsetRange,
  versions: readonly ZoneVersion[],
  traces: Omit<Traces, "stored">,
): Promise<Pick<TakenOver, "state" | "begin" | "stored" | "rebuilding">> {
  const { partition, low } = range;
  const stored = await store.load(partition);
  if (stored !== undefined && stored.next >= low) {
    return { state: stored.state, begin: stored.next, stored: stored.next, rebuilding: false };
  }
  const { begin, missed } = rebuildStart(range, { ...traces, stored: stored?.next });
  log.info({ partition, from: begin }, "rebuilding from the log");
  if (missed !== undefined) {
    log.warn({ partition, ...missed }, "retention took log that was never processed");
    await store.recordMissed(partition, missed);
  }
  const state = createPartition(partition);
  putZones(state, versions, begin, settings);
  return { state, begin, stored: stored?.next, rebuilding: true };
}

/** The zones as they stood where the log is begun. */
function putZones(
  state: PartitionState,
  versions: readonly ZoneVersion[],
  begin: number,
  settings: LiveSettings,
): void {
  const zones = new Map(versions.filter(({ offset }) => offset < begin).map((version) => [version.zoneId, version]));
  const nowhere = { intersections: [], zoneVersions: [], late: 0, duplicates: 0 };
  for (const { zone, offset } of zones.values()) {
    if (zone === null) continue;
    const message = { type: "ZoneCreated", event: { zone } } as const;
    apply(state, { offset, recordedAt: zone.updatedAt, message }, settings, nowhere);
  }
}

async function lastCauses(codec: Codec, found: readonly ReadMessage[]): Promise<Map<number, Cause>> {
  await codec.learn(found.map(({ message }) => message.value));
  const causes = new Map<number, Cause>();
  for (const { partition, message } of found) {
    const decoded = codec.decode(message.value);
    if (!decoded.ok || decoded.type !== "ZoneIntersectionChanged") continue;
    const { cause } = decoded.event;
    if (isBeyond(cause, causes.get(partition))) causes.set(partition, cause);
  }
  return causes;
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
