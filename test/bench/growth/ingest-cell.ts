// Mutations of 10 detections, each of one camera, whose cameras take turns.

import { derivedId } from "../../../schemas/identity.ts";
import { createdAt, createSharedHeaders } from "../../../services/api/write/shared-headers.ts";
import { loadConfig, redisEnv } from "../../../services/common/config.ts";
import { createRedis } from "../../../services/common/redis/client.ts";
import { startService } from "../../support/running/processes.ts";
import { residentMib } from "../../support/running/resident.ts";
import { deviceId, entitiesOf, fillCatalog } from "../bulk/fill.ts";
import { DETECTIONS_PER_EVENT, log } from "../camera-log.ts";
import { bodiesOf } from "../ingest/ingest.ts";
import { httpLoad } from "../processes.ts";
import { nameOf, type OpenCell, reportRate } from "./cell.ts";
import { type Rate, startWindow } from "./window.ts";

const TRACKS_PER_CAMERA = 20;
const CONNECTIONS = 128;
const WARM_UP_MS = 1_500;
const MUTATIONS_PER_CAMERA = 2;
const ROUND_MS = 5_000;
const DAY_S = 86_400;
const PER_PIPELINE = 1_000;
/** Bodies of every cell, so that the load generator does the same work in all. Each camera of the largest has two. */
const MUTATIONS = 20_000;

/** `settings`: more variables of the API. */
export async function ingestCell(
  { stack, system, cell }: OpenCell,
  settings: Readonly<Record<string, string>> = {},
): Promise<Rate> {
  await fillCatalog(system, entitiesOf({ sites: 1, devices: cell.cameras, geofences: 0 }));
  const bodies = bodiesOf(await createTracks(system, cell.cameras), DETECTIONS_PER_EVENT, MUTATIONS);
  const api = await startService("api", { ...system.env, ...settings });
  try {
    const headers = { "x-token-id": system.token.id, "x-token-value": system.token.value };
    const port = Number(new URL(system.url).port);
    const load = (durationMs: number) =>
      httpLoad({ port, path: "/graphql", headers, bodies, connections: CONNECTIONS, durationMs });
    // Each body once, so that the API knows all tracks that it can remember.
    const perSecond = await load(WARM_UP_MS);
    const distinct = MUTATIONS_PER_CAMERA * cell.cameras;
    await load(Math.max(WARM_UP_MS, (1.2 * 1_000 * distinct) / perSecond));
    const end = await startWindow({ services: [api], stores: stack.pids() });
    const mutationsPerSecond = await load(ROUND_MS);
    const detections = (mutationsPerSecond * DETECTIONS_PER_EVENT * ROUND_MS) / 1_000;
    const rate = { ...(await end(detections)), detectionsPerSecond: mutationsPerSecond * DETECTIONS_PER_EVENT };
    reportRate(`api, ${nameOf(cell)}`, rate, [await residentMib(api.pid)]);
    return rate;
  } finally {
    await api.stop();
  }
}

/**
 * Shares the headers of the tracks in Redis, as an API does that created them. Of a camera's tracks every other one is
 * in a mutation.
 */
async function createTracks({ env, namespace }: OpenCell["system"], cameras: number): Promise<string[]> {
  const redis = createRedis(loadConfig(redisEnv, env), log);
  await redis.start();
  const shared = createSharedHeaders(redis.client, namespace, DAY_S);
  const tracks: { readonly trackId: string; readonly dataSourceId: string }[] = [];
  for (let half = 0; half < 2; half++) {
    for (let camera = 0; camera < cameras; camera++) {
      for (let i = half; i < TRACKS_PER_CAMERA; i += 2) {
        tracks.push({ trackId: derivedId("growth-track", `${camera}`, `${i}`), dataSourceId: deviceId(camera) });
      }
    }
  }
  const rest = { tag: "person", startTime: 0, endTime: null, modelId: null, properties: null, metadata: null };
  for (let first = 0; first < tracks.length; first += PER_PIPELINE) {
    const portion = tracks.slice(first, first + PER_PIPELINE);
    await Promise.all(portion.map((track, i) => shared.write({ ...track, ...rest }, createdAt(first + i))));
  }
  await redis.stop();
  return tracks.map(({ trackId }) => trackId);
}
