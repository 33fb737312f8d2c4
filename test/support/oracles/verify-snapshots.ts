// Compares snapshots and closest frames of a recording at random moments, through the REST interface, with a plain
// computation.
import { randomBytes } from "node:crypto";

import type { ClosestFrame, TrackSnapshot } from "../../../schemas/rest/detections.ts";
import { createRandom, type Random } from "../../../services/cli/demo/scene/random.ts";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import type { System } from "../running/launch-system.ts";

import type { OracleDetection, OracleIntersection } from "./oracle.ts";
import type { Rings } from "./oracle-area.ts";
import { snapshotDifference } from "./snapshot-oracle.ts";

export interface RecordedScene {
  readonly detections: readonly OracleDetection[];
  readonly zones: readonly { readonly zoneId: string; readonly rings: Rings }[];
  readonly stays: readonly OracleIntersection[];
}

export interface VerifiedSnapshots {
  readonly compared: number;
  readonly difference: string | undefined;
}

const REQUESTS = 20;
const TRACKS_PER_REQUEST = 25;
const WINDOWS_S = [0, 0.5, 3, 10];

export async function verifySnapshots(system: System, scene: RecordedScene): Promise<VerifiedSnapshots> {
  const ask = await startStateApi(system);
  const byTrack = Map.groupBy(scene.detections, ({ trackId }) => trackId);
  const random = createRandom(1);
  let compared = 0;
  for (let i = 0; i < REQUESTS; i++) {
    const windowSeconds = WINDOWS_S[i % WINDOWS_S.length] ?? 10;
    const wanted = new Map<string, number>();
    while (wanted.size < Math.min(TRACKS_PER_REQUEST, byTrack.size)) {
      const [trackId, detections] = anyOf(random, [...byTrack]);
      wanted.set(trackId, momentOf(random, detections));
    }
    const tracks = [...wanted].map(([track_id, at]) => ({ track_id, timestamp: new Date(at).toISOString() }));
    const { snapshots } = await ask<{ snapshots: Record<string, TrackSnapshot | null> }>("/api/tracks/snapshot", {
      tracks,
      window_seconds: windowSeconds,
    });
    for (const [trackId, at] of wanted) {
      const detections = byTrack.get(trackId) ?? [];
      const stays = scene.stays.filter((stay) => stay.trackId === trackId);
      const of = { detections, zones: scene.zones, stays };
      const difference = snapshotDifference(snapshots[trackId] ?? null, of, { at, windowMs: windowSeconds * 1_000 });
      if (difference !== undefined) {
        return { compared, difference: `snapshot of ${trackId} at ${at}, window ${windowSeconds} s: ${difference}` };
      }
      compared++;
    }
    const [trackId, detections] = anyOf(random, [...byTrack]);
    const difference = await compareFrame(ask, trackId, detections, momentOf(random, detections));
    if (difference !== undefined) return { compared, difference };
    compared++;
  }
  return { compared, difference: undefined };
}

/** GET without a body. */
type Ask = <Answer>(path: string, body?: object) => Promise<Answer>;

async function startStateApi(system: System): Promise<Ask> {
  const port = await freePort();
  await system.start("state-api", {
    STATE_API_HOST: "127.0.0.1",
    STATE_API_PORT: String(port),
    STATE_API_GRAPHQL_URL: system.url,
    SECRETS_KEY: randomBytes(32).toString("base64"),
  });
  const token = { "x-token-id": system.token.id, "x-token-value": system.token.value };
  return async <Answer>(path: string, body?: object) => {
    const content = { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { ...token, "content-type": "application/json" },
      ...(body === undefined ? {} : content),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Answer;
  };
}

async function compareFrame(ask: Ask, trackId: string, detections: readonly OracleDetection[], at: number) {
  const timestamp = new Date(at).toISOString();
  const frame = await ask<ClosestFrame>(`/api/tracks/closest-frame?track_id=${trackId}&timestamp=${timestamp}`);
  const least = Math.min(...detections.map((each) => Math.abs(each.timestamp - at)));
  const found = detections.find((each) => each.timestamp === Date.parse(frame.timestamp));
  const corners = JSON.stringify(found?.ring.slice(0, 4));
  if (frame.offset_ms === least && JSON.stringify(frame.polygon) === corners) return undefined;
  return `closest frame of ${trackId} at ${at}: ${JSON.stringify(frame)}, expected ${corners} ${least} ms away`;
}

/** A quarter at a detection; the others up to 12 s beside one, so that some windows are empty. */
function momentOf(random: Random, detections: readonly OracleDetection[]): number {
  const { timestamp } = anyOf(random, detections);
  return random.chance(0.25) ? timestamp : timestamp + Math.round(random.between(-12_000, 12_000));
}

function anyOf<T>(random: Random, items: readonly T[]): T {
  const item = items[random.below(items.length)];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}
