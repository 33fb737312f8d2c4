// createDetections over HTTP keep-alive with 1, 10 and 100 detections of 5-point polygons per mutation: ours with
// token, all validation and acks = all on the real broker, against bare mercurius with its JIT whose resolver returns
// at once.
import type { GraphQLClient } from "../../support/clients/graphql-client.ts";
import { prepareSystem } from "../../support/running/launch-system.ts";
import { startService } from "../../support/running/processes.ts";
import { type Comparison, compare } from "../measure.ts";
import { httpLoad, startHelper } from "../processes.ts";
import type { BenchStack } from "../stack.ts";

const SIZES = [
  { detections: 1, goal: ">= 0.8" },
  { detections: 10, goal: ">= 1.0" },
  { detections: 100, goal: ">= 1.2" },
];
const TRACKS = 100;
const BODIES = 200;
/** One connection for each camera of a site: it waits for its answer before it sends again. */
const CONNECTIONS = 128;
const ROUND_MS = 3_000;
const ROUNDS = 5;
const DOCUMENT =
  "mutation Ingest($detections: [CreateDetectionInput!]!) { createDetections(detections: $detections) { id } }";

export async function benchIngest(stack: BenchStack): Promise<Comparison[]> {
  const system = await prepareSystem(stack.env, `bench_${Date.now()}`);
  const api = await startService("api", system.env);
  const [bare, barePort] = await startHelper<number>("./ingest/bare-mercurius.ts", []);
  try {
    const trackIds = await createTracks(system.client);
    const headers = { "x-token-id": system.token.id, "x-token-value": system.token.value };
    const results: Comparison[] = [];
    for (const { detections, goal } of SIZES) {
      const bodies = bodiesOf(trackIds, detections);
      const load = (port: number) =>
        httpLoad({ port, path: "/graphql", headers, bodies, connections: CONNECTIONS, durationMs: ROUND_MS });
      results.push(
        await compare({
          name: `ingest, ${detections} per mutation`,
          unit: "detections/s",
          goal,
          rounds: ROUNDS,
          ours: async () => detections * (await load(Number(new URL(system.url).port))),
          baseline: async () => detections * (await load(barePort)),
        }),
      );
    }
    return results;
  } finally {
    bare.disconnect();
    await api.stop();
  }
}

export async function createTracks(client: GraphQLClient): Promise<string[]> {
  const { createDataSource } = await client.ask<{ createDataSource: { id: string } }>(
    `mutation { createDataSource(dataSource: { name: "bench", type: VIDEO_DEVICE }) { id } }`,
  );
  const ids: string[] = [];
  for (let i = 0; i < TRACKS; i++) {
    const track = {
      dataSourceId: createDataSource.id,
      tag: "person",
      startTime: "2026-01-01T00:00:00Z",
      detections: [],
    };
    const { createTrack } = await client.ask<{ createTrack: { id: string } }>(
      `mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }`,
      { track },
    );
    ids.push(createTrack.id);
  }
  return ids;
}

export function bodiesOf(trackIds: readonly string[], detections: number, count = BODIES): string[] {
  let made = 0;
  return Array.from({ length: count }, () => {
    const inputs = Array.from({ length: detections }, () => detection(trackIds[made % trackIds.length] ?? "", made++));
    return JSON.stringify({ query: DOCUMENT, variables: { detections: inputs } });
  });
}

function detection(trackId: string, n: number) {
  const left = (n * 7.25) % 1_800;
  const top = (n * 3.5) % 900;
  const [right, bottom] = [left + 42.5, top + 118.25];
  const ring = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
    [left, top],
  ];
  const timestamp = new Date(Date.UTC(2026, 0, 1) + n * 33).toISOString();
  return { trackId, timestamp, polygon: { type: "Polygon", coordinates: [ring] } };
}
