// What must be known before a partition is worked on: its state and where to go on, and which outputs already stand.
import { randomUUID } from "node:crypto";
import type { Admin, Kafka } from "kafkajs";
import { apply, createPartition, type LiveSettings, type PartitionState } from "../../projections/live/partition.ts";
import type { Codec } from "../../schemas/codec.ts";
import type { Cause, ZoneVersion } from "../../schemas/events.ts";
import { offsetRanges } from "../common/kafka/offsets.ts";
import { type ReadMessage, readAll, readLast } from "../common/kafka/read-some.ts";
import type { Log } from "../common/log.ts";
import type { LiveStore } from "./live-store.ts";
import { isBeyond, type Written } from "./outputs.ts";

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
  readonly groupPrefix: string;
  readonly topics: { readonly cameraLog: string; readonly intersections: string; readonly zones: string };
}

const POLL_MS = 50;
const GIVE_UP_MS = 10_000;
/** The very last message may be one that somebody redrove, or garbage. */
const LAST_OUTPUTS = 20;

export async function takeOver(deps: TakeOverDeps, partitions: readonly number[], nowMs: number): Promise<TakenOver[]> {
  const { kafka, log, groupPrefix, topics } = deps;
  await untilFree(deps, partitions);
  // Before looking what was written: whoever comes next must see that somebody may be writing again.
  const owner = randomUUID();
  await Promise.all(partitions.map((partition) => deps.store.claim(partition, owner)));
  const admin = kafka.admin();
  await admin.connect();
  try {
    const [logRanges, outRanges, versions, causes, lookback] = await Promise.all([
      offsetRanges(admin, topics.cameraLog),
      offsetRanges(admin, topics.intersections),
      readAll({ kafka, groupPrefix, topic: topics.zones, log }).then((found) => zoneVersions(deps.codec, found)),
      readLast({ kafka, groupPrefix, topic: topics.intersections, log }, LAST_OUTPUTS).then((found) =>
        lastCauses(deps.codec, found),
      ),
      offsetsAt(admin, topics.cameraLog, nowMs - deps.lookbackMs),
    ]);
    return await Promise.all(
      partitions.map(async (partition) => {
        const range = logRanges[partition];
        if (range === undefined) throw new Error(`no partition ${partition} in ${topics.cameraLog}`);
        const own = versions.filter((version) => version.partition === partition);
        const rebuildFrom = Math.max(range.low, lookback.get(partition) ?? range.low);
        const start = await startOf(deps, partition, range.low, rebuildFrom, own);
        return {
          partition,
          owner,
          ...start,
          intersectionsEnd: outRanges[partition]?.high ?? 0,
          tail: range.high,
          written: { intersection: causes.get(partition), zoneVersion: own.at(-1)?.offset },
        };
      }),
    );
  } finally {
    await admin.disconnect();
  }
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
  partition: number,
  low: number,
  rebuildFrom: number,
  versions: readonly ZoneVersion[],
): Promise<Pick<TakenOver, "state" | "begin" | "stored" | "rebuilding">> {
  const stored = await store.load(partition);
  if (stored !== undefined && stored.next >= low) {
    return { state: stored.state, begin: stored.next, stored: stored.next, rebuilding: false };
  }
  log.info({ partition, from: rebuildFrom }, "rebuilding from the log");
  const state = createPartition(partition);
  const zones = new Map(
    versions.filter(({ offset }) => offset < rebuildFrom).map((version) => [version.zoneId, version]),
  );
  for (const { zone, offset } of zones.values()) {
    if (zone === null) continue;
    const message = { type: "ZoneCreated", event: { zone } } as const;
    apply(state, { offset, recordedAt: zone.updatedAt, message }, settings, {
      intersections: [],
      zoneVersions: [],
      late: 0,
      duplicates: 0,
    });
  }
  return { state, begin: rebuildFrom, stored: stored?.next, rebuilding: true };
}

async function zoneVersions(codec: Codec, found: readonly ReadMessage[]): Promise<ZoneVersion[]> {
  await codec.learn(found.map(({ message }) => message.value));
  const versions: ZoneVersion[] = [];
  for (const { message } of found) {
    const decoded = codec.decode(message.value);
    if (decoded.ok && decoded.type === "ZoneVersion") versions.push(decoded.event);
  }
  return versions;
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
