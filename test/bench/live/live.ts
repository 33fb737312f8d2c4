// The time that the state of a track and of a zone takes over REST, at a thousand requests per second while cameras send;
// against the same server's answer that reads nothing.

import { once } from "node:events";
import { Agent, get } from "node:http";
import type { GraphQLClient } from "../../support/graphql-client.ts";
import { launchSystem, type System } from "../../support/launch-system.ts";
import { patientClient } from "../../support/load.ts";
import { until } from "../../support/processes.ts";
import { startStateApi } from "../../support/state-api.ts";
import { type Camera, createCameras, pace, sendFrame } from "../camera-load.ts";
import { parameter } from "../config.ts";
import { type Comparison, compare, quantile } from "../measure.ts";
import type { BenchStack } from "../stack.ts";

const CAMERAS = 12;
const TRACKS_PER_CAMERA = 20;
const FRAMES_PER_SECOND = 12;
const REQUESTS_PER_SECOND = 1_000;
const TICK_MS = 2;
const ROUNDS = 3;

export async function benchLive(stack: BenchStack): Promise<Comparison[]> {
  const seconds = parameter("BENCH_LIVE_SECONDS", 10);
  const { system, stop } = await launchSystem(stack.env, `bench_live_${Date.now()}`);
  try {
    const url = await startStateApi(system);
    const client = patientClient(system.client, () => undefined);
    const cameras = await createCameras(client, CAMERAS, TRACKS_PER_CAMERA);
    const zoneIds = await Promise.all(cameras.map((camera) => createZone(client, camera)));
    for (const camera of cameras) await sendFrame(client, camera);
    const tracks = cameras.flatMap(({ trackIds }) => trackIds.map((id) => `${url}/api/tracks/${id}`));
    const zones = zoneIds.map((id) => `${url}/api/zones/${id}`);
    await answered(system, [...tracks, ...zones]);
    const contest = (name: string, urls: readonly string[]) =>
      compare({
        ...{ name, unit: "ms p99", goal: "< 5 ms", rounds: ROUNDS },
        ours: () => underLoad(system, cameras, seconds, urls),
        baseline: () => underLoad(system, cameras, seconds, [`${url}/health`]),
      });
    return [await contest("REST track state", tracks), await contest("REST zone state", zones)];
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

async function underLoad(system: System, cameras: readonly Camera[], seconds: number, urls: readonly string[]) {
  const load = pace(cameras, { framesPerSecond: FRAMES_PER_SECOND, seconds }, (camera) =>
    sendFrame(system.client, camera),
  );
  const [times] = await Promise.all([ask(system, urls, seconds), load]);
  return quantile(times, 0.99);
}

/** Open loop: from the moment at which a request was due until its answer is there, ms. */
async function ask(system: System, urls: readonly string[], seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const startedAt = performance.now();
  const times: number[] = [];
  const asked: Promise<void>[] = [];
  const count = seconds * REQUESTS_PER_SECOND;
  for (let due = 0; due < count; ) {
    const last = Math.min(count, Math.floor(((performance.now() - startedAt) / 1_000) * REQUESTS_PER_SECOND));
    for (; due < last; due++) {
      const dueAt = startedAt + (due / REQUESTS_PER_SECOND) * 1_000;
      const request = askOne(system, agent, urls[due % urls.length] ?? "");
      asked.push(request.then(() => void times.push(performance.now() - dueAt)));
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  await Promise.all(asked);
  agent.destroy();
  return times;
}

async function askOne({ token }: System, agent: Agent, url: string): Promise<void> {
  const headers = { "x-token-id": token.id, "x-token-value": token.value };
  const [response] = await once(get(url, { agent, headers }), "response");
  response.resume();
  await once(response, "end");
  if (response.statusCode !== 200) throw new Error(`${url} answers ${response.statusCode}`);
}

async function answered(system: System, urls: readonly string[]): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  for (const url of urls) {
    await until(async () => {
      await askOne(system, agent, url);
      return true;
    });
  }
  agent.destroy();
}
