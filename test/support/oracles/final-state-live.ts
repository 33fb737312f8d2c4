// Compares live state in Redis with a fresh fold of the whole camera-log.
import {
  apply,
  createGeofences,
  createPartition,
  type Geofences,
  type LiveSettings,
  noOutputs,
  type PartitionState,
} from "../../../projections/live/partition.ts";
import { everything } from "../../../projections/live/persist.ts";
import { eventBoundsEnv, eventBoundsOf } from "../../../schemas/bounds.ts";
import { readCameraLog, readMessage } from "../../../schemas/read-message.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";
import { stateMachineEnv } from "../../../services/state-machine/config.ts";
import type { Inspector } from "../clients/final-state-inspector.ts";

/** The members of a parsed text that the comparison reads. */
interface Stored {
  readonly dataSourceId?: string;
  readonly phase?: string;
  readonly restRecordedAt?: number;
  readonly recordedAt?: number;
  readonly held?: readonly unknown[];
  activeTracks?: string[];
  appliedAt?: number;
  encounters?: unknown;
}

type Texts = Readonly<Record<"tracks" | "sources" | "zones", Record<string, Stored>>>;

/** Holds the parsed texts of each partition, by id. */
type LiveState = Readonly<Record<number, Texts>>;

/** Each owner decides when it frees memory: longer than owners' clocks differ, so that no owner can have freed more. */
const FREED_LATER_MS = 60_000;

/** Without the tracks that are forgotten at `asOf`; both sides of a comparison use the same `asOf`. */
export async function storedState(
  { redis, namespace, partitions: count }: Inspector,
  asOf = Date.now(),
): Promise<LiveState> {
  const partitions = Array.from({ length: count }, async (_, partition) => {
    const keys = partitionKeys(namespace, partition);
    const [tracks, sources, zones] = await Promise.all(
      [keys.tracks, keys.sources, keys.zones].map(async (key) => parsed(await readHash(redis, key))),
    );
    return [partition, remembered({ tracks: tracks ?? {}, sources: sources ?? {}, zones: zones ?? {} }, asOf)] as const;
  });
  return Object.fromEntries(await Promise.all(partitions));
}

/** In portions: one reading of 100 000 tracks takes longer than a command may. */
async function readHash(redis: Inspector["redis"], key: string): Promise<[string, string][]> {
  const fields = new Map<string, string>();
  let cursor = "0";
  do {
    const [next, flat] = await redis.hscan(key, cursor, "COUNT", 1_000);
    for (let at = 0; at < flat.length; at += 2) fields.set(flat[at] ?? "", flat[at + 1] ?? "");
    cursor = next;
  } while (cursor !== "0");
  return [...fields];
}

export async function foldedLog(
  { read, codec, partitions }: Inspector,
  ttlMs: number,
  asOf = Date.now(),
): Promise<LiveState> {
  const states = Array.from({ length: partitions }, (_, partition) => createPartition(partition));
  const settings = { ...settingsWith(ttlMs), geofences: await readGeofences({ read, codec }) };
  const bounds = eventBoundsOf(eventBoundsEnv.parse({}));
  for (const { partition, message } of await read("camera-log")) {
    const state = states[partition];
    const recordedAt = Number(message.timestamp);
    const reported = readCameraLog(codec, { value: message.value, recordedAt, partition, bounds });
    if (state === undefined || !reported.ok) continue;
    apply(state, { offset: Number(message.offset), recordedAt, message: reported.message }, settings, noOutputs());
  }
  return Object.fromEntries(states.map((state, partition) => [partition, remembered(textsOf(state), asOf)]));
}

/** Reads the geofences of the catalog. */
export async function readGeofences({ read, codec }: Pick<Inspector, "read" | "codec">): Promise<Geofences> {
  const geofences = createGeofences();
  for (const { message } of await read("catalog")) {
    const event = readMessage(codec, "catalog", message.value);
    if (!event.ok || event.type !== "GeofenceChanged") continue;
    geofences.apply(event.event, Number(message.offset), Number(message.timestamp));
  }
  return geofences;
}

function remembered({ tracks, sources, zones }: Texts, asOf: number): Texts {
  const before = asOf + FREED_LATER_MS - settingsWith(0).forgetAfterMs;
  const kept = Object.entries(tracks).filter(
    ([, { phase, restRecordedAt = 0 }]) => phase === "live" || restRecordedAt >= before,
  );
  const sending = new Set(kept.map(([, { dataSourceId }]) => dataSourceId));
  const received = Object.entries(sources).filter(
    ([id, { recordedAt = 0, held = [] }]) => sending.has(id) || held.length > 0 || recordedAt >= before,
  );
  return { tracks: Object.fromEntries(kept), sources: Object.fromEntries(received), zones };
}

function settingsWith(trackTtlMs: number): Omit<LiveSettings, "geofences"> {
  const defaults = stateMachineEnv
    .pick({
      REORDER_MS: true,
      INTERSECTION_UPDATE_MS: true,
      FORGET_TRACK_MS: true,
      REMEMBERED_TRACKS: true,
      MAX_DATA_SOURCE_VERTICES: true,
    })
    .parse({});
  return {
    trackTtlMs,
    reorderMs: defaults.REORDER_MS,
    updateIntervalMs: defaults.INTERSECTION_UPDATE_MS,
    forgetAfterMs: defaults.FORGET_TRACK_MS,
    rememberedTracks: defaults.REMEMBERED_TRACKS,
    maxSourceVertices: defaults.MAX_DATA_SOURCE_VERTICES,
    listener: undefined,
  };
}

function textsOf(state: PartitionState) {
  const { tracks, sources, zones } = everything(state);
  return { tracks: parsed(tracks), sources: parsed(sources), zones: parsed(zones) };
}

/**
 * The tracks in a zone are a set, and a set has no order. When a text was written is no part of the state. Encounters
 * exist only while a subscription in batch mode listens, and the fold of the log here has no subscriptions.
 */
function parsed(texts: Iterable<readonly [string, string | null]>): Record<string, Stored> {
  return Object.fromEntries(
    [...texts].map(([id, text]) => {
      const value: Stored = JSON.parse(text ?? "null");
      value.activeTracks?.sort();
      delete value.appliedAt;
      delete value.encounters;
      return [id, value];
    }),
  );
}
