// Live state in Redis beside a fresh fold of the whole camera-log.
import {
  apply,
  createPartition,
  everything,
  type LiveSettings,
  type Outputs,
  type PartitionState,
} from "../../projections/live/partition.ts";
import { limits } from "../../schemas/checks.ts";
import { readCameraLog } from "../../schemas/read-camera-log.ts";
import { partitionKeys } from "../../schemas/redis-keys.ts";
import { stateMachineEnv } from "../../services/state-machine/config.ts";
import { type Inspector, PARTITIONS } from "./final-state-inspector.ts";

/** By partition: the parsed texts by id. */
type LiveState = Readonly<Record<number, Readonly<Record<"tracks" | "sources" | "zones", Record<string, unknown>>>>>;

export async function storedState({ redis, namespace }: Inspector): Promise<LiveState> {
  const partitions = Array.from({ length: PARTITIONS }, async (_, partition) => {
    const keys = partitionKeys(namespace, partition);
    const [tracks, sources, zones] = await Promise.all(
      [keys.tracks, keys.sources, keys.zones].map(async (key) => parsed(Object.entries(await redis.hgetall(key)))),
    );
    return [partition, { tracks: tracks ?? {}, sources: sources ?? {}, zones: zones ?? {} }] as const;
  });
  return Object.fromEntries(await Promise.all(partitions));
}

export async function foldedLog({ read, codec }: Inspector, ttlMs: number): Promise<LiveState> {
  const states = Array.from({ length: PARTITIONS }, (_, partition) => createPartition(partition));
  const settings = settingsWith(ttlMs);
  for (const { partition, message } of await read("camera-log")) {
    const state = states[partition];
    const recordedAt = Number(message.timestamp);
    const told = readCameraLog(codec, message.value, recordedAt, limits.maxFutureMs);
    if (state === undefined || !told.ok) continue;
    apply(state, { offset: Number(message.offset), recordedAt, message: told.message }, settings, nowhere());
  }
  return Object.fromEntries(states.map((state, partition) => [partition, textsOf(state)]));
}

function settingsWith(trackTtlMs: number): LiveSettings {
  const defaults = stateMachineEnv
    .pick({ REORDER_MS: true, INTERSECTION_UPDATE_MS: true, FORGET_TRACK_MS: true, REMEMBERED_TRACKS: true })
    .parse({});
  return {
    trackTtlMs,
    reorderMs: defaults.REORDER_MS,
    updateIntervalMs: defaults.INTERSECTION_UPDATE_MS,
    forgetAfterMs: defaults.FORGET_TRACK_MS,
    rememberedTracks: defaults.REMEMBERED_TRACKS,
  };
}

function textsOf(state: PartitionState) {
  const { tracks, sources, zones } = everything(state);
  return { tracks: parsed(tracks), sources: parsed(sources), zones: parsed(zones) };
}

/** The tracks in a zone are a set, and a set has no order. */
function parsed(texts: Iterable<readonly [string, string | null]>): Record<string, unknown> {
  return Object.fromEntries(
    [...texts].map(([id, text]) => {
      const value = JSON.parse(text ?? "null");
      if (Array.isArray(value?.activeTracks)) value.activeTracks.sort();
      return [id, value];
    }),
  );
}

const nowhere = (): Outputs => ({ intersections: [], zoneVersions: [], late: 0, duplicates: 0 });
