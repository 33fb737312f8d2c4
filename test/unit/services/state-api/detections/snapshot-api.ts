// The endpoints of snapshots and closest frames in this process, before GraphQL servers of the test.
import { onTestFinished } from "vitest";
import { createZonesView } from "../../../../../projections/catalog/zones-view.ts";
import { createZonesAsOf } from "../../../../../projections/snapshot/zones-as-of.ts";
import { AppError } from "../../../../../schemas/errors.ts";
import { isoTime } from "../../../../../schemas/identity.ts";
import { loadConfig } from "../../../../../services/common/config.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { outboundEnv } from "../../../../../services/common/outbound/config.ts";
import { closestFrameRoutes } from "../../../../../services/state-api/detections/closest-frame-route.ts";
import type { KeptTrack, KeptTracks } from "../../../../../services/state-api/detections/kept-tracks.ts";
import { createReadTracks, type LiveMark } from "../../../../../services/state-api/detections/read-tracks.ts";
import { snapshotRoutes } from "../../../../../services/state-api/detections/snapshot-route.ts";
import { createSourceOf } from "../../../../../services/state-api/detections/source-of.ts";
import { createStateServer } from "../../../../../services/state-api/http/server.ts";
import { createUpstream } from "../../../../../services/state-api/upstream/upstream.ts";
import type { RawTrack } from "../../../../support/running/track-server.ts";
import { square } from "../../../../support/scenes/zone.ts";

export const START = Date.UTC(2026, 0, 1, 12);
export const at = (second: number): string => isoTime(START + second * 1000);

/** Moves right by 100 px/s, two detections per second. */
export const track = (id: string, overrides: Partial<RawTrack> = {}): RawTrack => ({
  id,
  tag: "person",
  endTime: at(10),
  dataSource: { id: "camera" },
  zoneIntersections: [],
  detections: Array.from({ length: 21 }, (_, i) => ({
    timestamp: at(i / 2),
    polygon: { coordinates: [square(10, 50 * i)] },
    position: null,
    createdAt: at(i / 2),
  })),
  ...overrides,
});

interface Settings {
  readonly ownUrl: string;
  readonly lists?: Readonly<Record<string, string>>;
}

type Headers = Readonly<Record<string, string>>;

const authenticate = Object.assign(
  ({ id, value }: { readonly id: unknown; readonly value: unknown }) =>
    typeof id === "string" && value === "right"
      ? { tokenId: id, name: id, scopes: id.startsWith("writer") ? ["write" as const] : ["read" as const] }
      : new AppError("UNAUTHENTICATED", "the token is not valid"),
  { isCurrent: () => true },
);

export const reader = (id = "reader"): Headers => ({ "x-token-id": id, "x-token-value": "right" });

/** Closed when the test ends. What it keeps, what live state knows and the time are the test's to change. */
export function snapshotApi({ ownUrl, lists = {} }: Settings) {
  const upstream = createUpstream({ ...loadConfig(outboundEnv, lists), ownUrl });
  const memory = new Map<string, KeptTrack>();
  const live = new Map<string, LiveMark>();
  const world = { now: START + 3_600_000, redisAway: false };
  const log = createLog("test", "silent");
  const now = () => world.now;
  const tracks = createReadTracks({ kept: keptIn(memory, world), live: async () => live, log, now });
  const options = { tracks, sourceOf: createSourceOf(upstream, now), now };
  const routes = [
    ...closestFrameRoutes(options),
    ...snapshotRoutes({ ...options, zones: createZonesView(), zonesAsOf: createZonesAsOf() }),
  ];
  const server = createStateServer({
    host: "127.0.0.1",
    port: 0,
    bodyLimitBytes: 1024 * 1024,
    maxRequests: 100,
    routes,
    authenticate,
    log,
  });
  onTestFinished(async () => {
    await server.stop();
    await upstream.stop();
  });

  const send = async (method: "GET" | "POST", url: string, payload: object | undefined, headers: Headers) => {
    const request = payload === undefined ? { method, url, headers } : { method, url, headers, payload };
    const response = await server.app.inject(request);
    return { status: response.statusCode, body: response.json() };
  };
  return {
    server,
    memory,
    live,
    world,
    snapshot: (ids: readonly string[], second: number, headers: Headers = reader(), more: object = {}) => {
      const asked = ids.map((track_id) => ({ track_id, timestamp: at(second) }));
      return send("POST", "/api/tracks/snapshot", { tracks: asked, window_seconds: 2, ...more }, headers);
    },
    closest: (id: string, second: number, headers: Headers = reader()) =>
      send("GET", `/api/tracks/closest-frame?track_id=${id}&timestamp=${at(second)}`, undefined, headers),
  };
}

function keptIn(memory: Map<string, KeptTrack>, world: { readonly redisAway: boolean }): KeptTracks {
  const unlessAway = () => {
    if (world.redisAway) throw new Error("Connection is closed.");
  };
  return {
    async read(scope, trackIds) {
      unlessAway();
      const found = trackIds.map((id) => memory.get(`${scope} ${id}`)).filter((each) => each !== undefined);
      return new Map(found.map((each) => [each.trackId, each]));
    },
    async write(scope, tracks) {
      unlessAway();
      for (const each of tracks) memory.set(`${scope} ${each.trackId}`, each);
    },
  };
}
