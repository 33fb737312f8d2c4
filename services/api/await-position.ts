// Waits until what a client has written can be read. What is asked is injected: the projector's position stands in
// ClickHouse, the state machine's in Redis, the catalog's in memory.
import { unavailable } from "../common/errors.ts";
import type { Position } from "./position.ts";

export interface PositionSources {
  /** Next offset of the projector by partition of a topic; a partition never projected is absent. */
  projected(topic: "camera-log" | "zone-intersections"): Promise<ReadonlyMap<number, number>>;
  /** Next camera-log offset of the state machine, and the end of its outputs then; undefined = nothing applied yet. */
  applied(partition: number): Promise<Applied | undefined>;
  /** Next offset of this instance's view of a topic. */
  viewed(topic: "catalog" | "zones"): number;
  /** Whether this instance's view holds the zone event that may stand there. */
  hasSeenZone(partition: number, offset: number): boolean;
  /** Offset that the next message of the zones topic will get. */
  zonesEnd(): Promise<number>;
}

export interface Applied {
  readonly next: number;
  /** Next offset of the same partition of zone-intersections. */
  readonly intersections: number;
}

export interface PositionGate {
  /** Resolves when tracks and detections up to `min` can be queried; rejects with UNAVAILABLE after the bound. */
  history(min: readonly Position[]): Promise<void>;
  /** Resolves when the intersections that follow from everything up to `min` can be queried too. */
  intersections(min: readonly Position[]): Promise<void>;
  /** Resolves when this instance knows the zones up to `min`. */
  zones(min: readonly Position[]): Promise<void>;
  /** Resolves when this instance knows the data sources up to `min`. */
  catalog(min: readonly Position[]): Promise<void>;
}

const RETRY_AFTER_MS = 1_000;
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;

export function createPositionGate(sources: PositionSources, timeoutMs: number): PositionGate {
  async function projectedPast(topic: "camera-log" | "zone-intersections", wanted: readonly Position[]) {
    const next = await sources.projected(topic);
    return wanted.every(({ partition, offset }) => (next.get(partition) ?? 0) > offset);
  }

  async function outputsOf(min: readonly Position[]): Promise<readonly Position[] | undefined> {
    const applied = await Promise.all(min.map(({ partition }) => sources.applied(partition)));
    const outputs: Position[] = [];
    for (const [i, { partition, offset }] of min.entries()) {
      const found = applied[i];
      if (found === undefined || found.next <= offset) return undefined;
      if (found.intersections > 0) outputs.push({ partition, offset: found.intersections - 1 });
    }
    return outputs;
  }

  const inCameraLog = (min: readonly Position[]) => min.filter(({ topic = "camera-log" }) => topic === "camera-log");

  async function history(min: readonly Position[]): Promise<void> {
    const wanted = inCameraLog(min);
    if (wanted.length > 0) await until(() => projectedPast("camera-log", wanted), timeoutMs);
  }

  return {
    history,

    async intersections(min) {
      const wanted = inCameraLog(min);
      if (wanted.length === 0) return;
      // The outputs are fixed once the state machine has passed the position; asking again would chase a moving end.
      let outputs: readonly Position[] | undefined;
      await until(async () => {
        outputs ??= await outputsOf(wanted);
        return outputs !== undefined && (await projectedPast("zone-intersections", outputs));
      }, timeoutMs);
      await history(min);
    },

    async zones(min) {
      const missing = inCameraLog(min).filter(({ partition, offset }) => !sources.hasSeenZone(partition, offset));
      if (missing.length === 0) return;
      // The state machine writes the version of a zone before it says that it has passed the event.
      let end: number | undefined;
      await until(async () => {
        if (end === undefined && (await outputsOf(missing)) !== undefined) end = await sources.zonesEnd();
        return end !== undefined && sources.viewed("zones") >= end;
      }, timeoutMs);
    },

    async catalog(min) {
      const wanted = min.filter(({ topic }) => topic === "catalog");
      if (wanted.length > 0)
        await until(async () => wanted.every(({ offset }) => sources.viewed("catalog") > offset), timeoutMs);
    },
  };
}

async function until(reached: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let pauseMs = FIRST_PAUSE_MS;
  while (!(await reached())) {
    if (performance.now() >= deadline) throw unavailable("what was written cannot be queried yet", RETRY_AFTER_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
