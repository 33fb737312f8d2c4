// Waits until a client can read its own writes. The sources of positions are injected: the projector's is in
// ClickHouse, the state machine's in Redis, the catalog's in memory.
import { unavailable } from "../../../schemas/errors.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import { alignedTopics, type PerAligned, perAligned } from "../../../schemas/outputs.ts";
import { type Projected, projectedTopics, type Topic, type WrittenByApi } from "../../../schemas/topics.ts";
import { growing, untilSo } from "../../common/loop.ts";
import { shareCalls } from "../../common/share-calls.ts";
import type { CheckPositions } from "./check-positions.ts";
import type { ViewedTopic } from "./follow-views.ts";

export interface PositionSources {
  /** Resolves with the next offset of the projector, by partition of a topic; a partition never projected is absent. */
  projected(topic: Projected): Promise<ReadonlyMap<number, number>>;
  /**
   * Resolves with the state machine's next camera-log offset and the ends of its output topics at that offset, by
   * partition. A partition is absent when the state machine has applied nothing of it yet.
   */
  applied(partitions: readonly number[]): Promise<ReadonlyMap<number, Applied>>;
  /** Returns the next offset of this instance's view of a topic. */
  viewed(topic: ViewedTopic): number;
  /**
   * @returns true when this instance's view has read beyond this position: it then has the zone event there, if there
   * is one.
   */
  hasSeenZone(partition: number, offset: number): boolean;
  /** Resolves with the offset that the next message of the zones topic will get. */
  zonesEnd(): Promise<number>;
  /** Throws BAD_USER_INPUT for a position that is not in the log. */
  check: CheckPositions;
}

export interface Applied {
  readonly next: number;
  /** Next offsets of the same partition of the topics of outputs. */
  readonly ends: PerAligned<number>;
}

/** A topic whose records clients write and query. */
export type RecordTopic = WrittenByApi & Projected;

export interface PositionGate {
  /**
   * Resolves when the records of a topic up to `min` can be queried. Rejects with UNAVAILABLE when that takes too long.
   * Records of the camera-log are tracks and detections.
   */
  history(min: readonly LogPosition[], topic?: RecordTopic): Promise<void>;
  /** Resolves when the intersections that follow from everything up to `min` can be queried, too. */
  intersections(min: readonly LogPosition[]): Promise<void>;
  /** Resolves when this instance has the zones up to `min`. */
  zones(min: readonly LogPosition[]): Promise<void>;
  /** Resolves when this instance has the entities of the catalog up to `min`. */
  catalog(min: readonly LogPosition[]): Promise<void>;
}

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;
/** All waiting requests share one query to a store, which is repeated at most this often, ms. */
const SHARED_PAUSE_MS = 20;

export function createPositionGate(given: PositionSources, timeoutMs: number): PositionGate {
  const sources = shareQuestions(given);

  /** Checks a position against the log only if the stores have not reached it. */
  async function reach(min: readonly LogPosition[], reached: () => Promise<boolean>): Promise<void> {
    if (await reached()) return;
    const stop = new AbortController();
    const waited = until(reached, timeoutMs, stop.signal);
    try {
      await Promise.race([waited, sources.check(min).then(() => waited)]);
    } finally {
      stop.abort();
    }
  }

  async function history(min: readonly LogPosition[], of: RecordTopic = "camera-log"): Promise<void> {
    const wanted = min.filter(({ topic }) => topic === of);
    if (wanted.length > 0) await reach(wanted, () => isProjected(sources, of, wanted));
  }

  return {
    history,

    async intersections(min) {
      const wanted = inCameraLog(min);
      if (wanted.length === 0) return;
      // The ends of the outputs are read only until the state machine has passed the position. A second reading would
      // give later ends, and the request would wait for more than it needs.
      let outputs: PerAligned<readonly LogPosition[]> | undefined;
      await reach(wanted, async () => {
        outputs ??= await outputsOf(sources, wanted);
        return outputs !== undefined && (await areProjected(sources, outputs));
      });
      await history(min);
    },

    async zones(min) {
      const missing = inCameraLog(min).filter(({ partition, offset }) => !sources.hasSeenZone(partition, offset));
      if (missing.length === 0) return;
      // The state machine writes the version of a zone before it saves that it has passed the event, so this end is
      // after the version.
      let end: number | undefined;
      await reach(missing, async () => {
        if (end === undefined && (await outputsOf(sources, missing)) !== undefined) end = await sources.zonesEnd();
        return end !== undefined && sources.viewed("zones") >= end;
      });
    },

    async catalog(min) {
      const wanted = min.flatMap(({ topic, ...at }) => (isOfCatalog(topic) ? [{ topic, ...at }] : []));
      // These topics have one partition.
      const areViewed = async () =>
        wanted.every(({ topic, partition, offset }) => partition === 0 && sources.viewed(topic) > offset);
      if (wanted.length > 0) await reach(wanted, areViewed);
    },
  };
}

const inCameraLog = (min: readonly LogPosition[]) => min.filter(({ topic }) => topic === "camera-log");

async function isProjected(
  sources: PositionSources,
  topic: Projected,
  wanted: readonly LogPosition[],
): Promise<boolean> {
  if (wanted.length === 0) return true;
  const next = await sources.projected(topic);
  return wanted.every(({ partition, offset }) => (next.get(partition) ?? 0) > offset);
}

/**
 * Resolves with the last outputs of each topic.
 * @returns undefined when the state machine has not applied everything up to `min`.
 */
async function outputsOf(
  sources: PositionSources,
  min: readonly LogPosition[],
): Promise<PerAligned<readonly LogPosition[]> | undefined> {
  const applied = await sources.applied(min.map(({ partition }) => partition));
  if (min.some(({ partition, offset }) => (applied.get(partition)?.next ?? 0) <= offset)) return undefined;
  return perAligned((topic) =>
    min.flatMap(({ partition }) => {
      const end = applied.get(partition)?.ends[topic] ?? 0;
      return end > 0 ? [{ topic, partition, offset: end - 1 }] : [];
    }),
  );
}

async function areProjected(sources: PositionSources, outputs: PerAligned<readonly LogPosition[]>): Promise<boolean> {
  const found = await Promise.all(alignedTopics.map((topic) => isProjected(sources, topic, outputs[topic])));
  return !found.includes(false);
}

/**
 * Resolves when the history has all records of a topic that were in the log at the call. `ends` returns the ends of the
 * log.
 */
export function createHistoryComplete(
  gate: PositionGate,
  ends: (topic: RecordTopic) => Promise<readonly LogPosition[]>,
): (topic: RecordTopic) => Promise<void> {
  const byTopic = new Map<RecordTopic, () => Promise<void>>();
  return (topic) => {
    const complete = byTopic.get(topic) ?? shareCalls(async () => gate.history(await ends(topic), topic));
    byTopic.set(topic, complete);
    return complete();
  };
}

/** Entities, and records that are shown with them. */
const isOfCatalog = (topic: Topic) => topic === "catalog" || topic === "device-heartbeats";

/**
 * Returns the same sources, but requests that wait at the same time share answers. No answer is older than its request.
 */
function shareQuestions(sources: PositionSources): PositionSources {
  const projected = new Map(
    projectedTopics.map((topic) => [topic, shareCalls(() => sources.projected(topic), SHARED_PAUSE_MS)]),
  );
  const wanted = new Set<number>();
  const applied = shareCalls(() => {
    const partitions = [...wanted];
    wanted.clear();
    return sources.applied(partitions);
  }, SHARED_PAUSE_MS);
  return {
    ...sources,
    projected: (topic) => projected.get(topic)?.() ?? sources.projected(topic),
    applied(partitions) {
      for (const partition of partitions) wanted.add(partition);
      return applied();
    },
    zonesEnd: shareCalls(() => sources.zonesEnd(), SHARED_PAUSE_MS),
  };
}

async function until(reached: () => Promise<boolean>, withinMs: number, signal: AbortSignal): Promise<void> {
  const isOver = async () => signal.aborted || (await reached());
  const over = await untilSo(isOver, { pauseMs: growing(FIRST_PAUSE_MS, LONGEST_PAUSE_MS), withinMs, signal });
  if (!over && !signal.aborted) throw unavailable("what was written cannot be queried yet");
}
