// Ten times as many detections as the API can take, all different, and a check that the accepted ones are kept.

import { createClickHouse } from "../../services/common/clickhouse.ts";
import { clickhouseEnv, loadConfig } from "../../services/common/config.ts";
import type { System } from "../support/running/launch-system.ts";
import { watchResident } from "../support/running/resident.ts";
import { settled } from "../support/running/settled.ts";
import { flood } from "../support/scenes/flood.ts";
import { createTrack } from "./create-track.ts";

const PER_MUTATION = 100;
/** More than any API on this machine can take. */
const REQUESTS_PER_SECOND = 10_000;
const CONNECTIONS = 500;
const BODIES = 2_000;
/** All bodies, which are sent again and again, span less event time than live state remembers an ended track. */
const STEP_MS = 10;
const START = Date.parse("2026-01-01T00:00:00.000Z");
const DOCUMENT =
  "mutation Flood($detections: [CreateDetectionInput!]!) { createDetections(detections: $detections) { __typename } }";

export interface Flooded {
  readonly accepted: number;
  readonly refused: number;
  /** Answers that are neither. */
  readonly others: readonly string[];
  /** The most resident memory of the API, in MiB. */
  readonly mostMib: number;
  /** Accepted bodies whose detections are not all in the history, even after a while. */
  missing(): Promise<readonly number[]>;
}

/** Resolves when the flood is over. */
export async function floodSystem(system: System, { durationMs }: { readonly durationMs: number }): Promise<Flooded> {
  const { dataSourceId, trackId } = await createTrack(system.client, "flood", START);
  const memory = watchResident(system.services.api.pid);
  const result = await flood({
    port: Number(new URL(system.url).port),
    path: "/graphql",
    headers: { "x-token-id": system.token.id, "x-token-value": system.token.value },
    bodies: Array.from({ length: BODIES }, (_, i) => bodyOf(trackId, i)),
    requestsPerSecond: REQUESTS_PER_SECOND,
    durationMs,
    connections: CONNECTIONS,
  });
  const mostMib = await memory.stop();
  return {
    accepted: result.acceptedMs.length,
    refused: result.refused,
    others: result.others,
    mostMib,
    async missing() {
      const check = () => missingBodies(system, dataSourceId, result.acceptedBodies);
      await settled(async () => (await check()).length === 0);
      return check();
    },
  };
}

/** Body number i holds the hundred detections from number 100 i on. */
function bodyOf(trackId: string, i: number): string {
  const detections = Array.from({ length: PER_MUTATION }, (_, n) => {
    const timestamp = new Date(START + (i * PER_MUTATION + n) * STEP_MS).toISOString();
    const polygon = { type: "Polygon", coordinates: [square(n)] };
    return { trackId, timestamp, polygon };
  });
  return JSON.stringify({ query: DOCUMENT, variables: { detections } });
}

function square(n: number) {
  const [left, top] = [-20_000 + n, -20_000 - n];
  return [
    [left, top],
    [left + 42.5, top],
    [left + 42.5, top + 118.25],
    [left, top + 118.25],
    [left, top],
  ];
}

async function missingBodies({ env }: System, dataSourceId: string, accepted: readonly number[]): Promise<number[]> {
  const clickhouse = createClickHouse(loadConfig(clickhouseEnv, env));
  try {
    const result = await clickhouse.query({
      query: `SELECT intDiv(toUnixTimestamp64Milli(timestamp) - {start: Int64}, {width: Int64}) AS body
        FROM detections_v1 FINAL WHERE data_source_id = {dataSourceId: String}
        GROUP BY body HAVING count() = {perMutation: UInt32}`,
      query_params: { dataSourceId, start: START, width: PER_MUTATION * STEP_MS, perMutation: PER_MUTATION },
      format: "JSONEachRow",
    });
    const stored = new Set((await result.json<{ body: string }>()).map(({ body }) => Number(body)));
    return accepted.filter((body) => !stored.has(body));
  } finally {
    await clickhouse.close();
  }
}
