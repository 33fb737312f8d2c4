// The time that the state of a track and of a zone takes over REST, at a thousand requests per second while cameras
// send. The baseline is an answer of the same server that reads nothing.
import type { GraphQLClient } from "../../support/clients/graphql-client.ts";
import { launchSystem, type System } from "../../support/running/launch-system.ts";
import { type ServiceProcess, until } from "../../support/running/processes.ts";
import { startStateApi } from "../../support/running/state-api.ts";
import { patientClient } from "../../support/scenes/load.ts";
import { type Camera, createCameras, pace, sendFrame } from "../camera-load.ts";
import { parameter } from "../config.ts";
import { type Comparison, compareAll, format, quantile } from "../measure.ts";
import { askLoad, reportOf, watchedBy } from "../processes.ts";
import type { BenchStack } from "../stack.ts";
import type { WatchedRequests } from "./watch-requests.ts";

const CAMERAS = 12;
const TRACKS_PER_CAMERA = 20;
const REQUESTS_PER_SECOND = 1_000;
const CONNECTIONS = 32;
const ROUNDS = 3;

interface Installation {
  readonly system: System;
  readonly cameras: readonly Camera[];
  readonly service: ServiceProcess;
  readonly url: string;
}

export async function benchLive(stack: BenchStack): Promise<Comparison[]> {
  const seconds = parameter("BENCH_LIVE_SECONDS", 10);
  const { system, stop } = await launchSystem(stack.env, `bench_live_${Date.now()}`);
  try {
    const url = await startStateApi(system, watchedBy("./live/watch-requests.ts"));
    const service = system.started.find(({ name }) => name === "state-api");
    if (service === undefined) throw new Error("there is no state-api");
    const client = patientClient(system.client);
    const cameras = await createCameras(client, CAMERAS, TRACKS_PER_CAMERA);
    const zoneIds = await Promise.all(cameras.map((camera) => createZone(client, camera)));
    for (const camera of cameras) await sendFrame(client, camera);
    const tracks = cameras.flatMap(({ trackIds }) => trackIds.map((id) => `/api/tracks/${id}`));
    const zones = zoneIds.map((id) => `/api/zones/${id}`);
    const installation = { system, cameras, service, url };
    await answered(installation, [...tracks, ...zones]);
    const contest = (name: string, paths: readonly string[]) =>
      compareAll({
        ...{ figures: figuresOf(name), rounds: ROUNDS },
        ours: () => measured(installation, seconds, paths),
        baseline: () => measured(installation, seconds, ["/health"]),
      });
    return [...(await contest("REST track state", tracks)), ...(await contest("REST zone state", zones))];
  } finally {
    await stop();
  }
}

/** Over most of the image, so that about half of the tracks are in it. */
async function createZone(client: GraphQLClient, { dataSourceId }: Camera): Promise<string> {
  const [width, height] = [900, 1_080];
  const ring = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
    [0, 0],
  ];
  const { createZone: zone } = await client.ask<{ createZone: { id: string } }>(
    "mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }",
    { zone: { dataSourceId, name: "left", polygon: { coordinates: [ring] } } },
  );
  return zone.id;
}

const figuresOf = (name: string) => ({
  p50: { name: `${name}, p50`, unit: "ms", goal: "" },
  p99: { name: `${name}, p99`, unit: "ms", goal: "< 5 ms" },
  inside: { name: `${name}, p99 inside the service`, unit: "ms", goal: "" },
  processorUs: { name: `${name}, processor time of a request`, unit: "us", goal: "" },
});

async function measured({ system, cameras, service, url }: Installation, seconds: number, paths: readonly string[]) {
  const framesPerSecond = parameter("BENCH_LIVE_RATE", 240) / TRACKS_PER_CAMERA;
  const load = pace(cameras, { framesPerSecond, seconds }, (camera) => sendFrame(system.client, camera));
  await reportOf(service);
  const { answerMs, lateMs } = await askLoad({
    ...{ port: Number(new URL(url).port), headers: headersOf(system), paths },
    ...{ requestsPerSecond: REQUESTS_PER_SECOND, seconds, connections: CONNECTIONS },
  });
  const watched = await reportOf<WatchedRequests>(service);
  await load;
  const result = {
    p50: quantile(answerMs, 0.5),
    p99: quantile(answerMs, 0.99),
    inside: watched.p99,
    processorUs: watched.processorUs / answerMs.length,
  };
  const texts = Object.entries({ ...result, late: quantile(lateMs, 0.99), ...watched }).map(
    ([name, value]) => `${name} ${format(value)}`,
  );
  process.stderr.write(`    ${paths[0]}: ${texts.join(", ")}\n`);
  return result;
}

const headersOf = ({ token }: System) => ({ "x-token-id": token.id, "x-token-value": token.value });

async function answered({ system, url }: Installation, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await until(async () => (await fetch(`${url}${path}`, { headers: headersOf(system) })).status === 200);
  }
}
