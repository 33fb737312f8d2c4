// The shared entry that leads from a track to its data source is a cache: losing it may cost time, never a track.
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { trackHeaderKey } from "../../schemas/redis-keys.ts";
import { freePort } from "../../services/embedded/tools/free-port.ts";
import { createGraphQLClient } from "../support/clients/graphql-client.ts";
import { startSystem } from "../support/running/system.ts";

test("a track whose entry was lost is found by another instance, and one that never was is not", async () => {
  const system = await startSystem();
  const port = await freePort();
  await system.start("api", { API_PORT: String(port) });
  const other = createGraphQLClient(`http://127.0.0.1:${port}/graphql`, system.token);
  const { createDataSource } = await system.client.ask<{ createDataSource: { id: string } }>(
    `mutation { createDataSource(dataSource: { name: "gate", type: VIDEO_DEVICE }) { id } }`,
  );
  const redis = new Redis(system.env["REDIS_URL"] ?? "");
  const startTime = "2026-01-01T00:00:00.000Z";
  const { createTrack } = await system.client.ask<{ createTrack: { id: string } }>(
    `mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }`,
    { track: { dataSourceId: createDataSource.id, tag: "person", startTime, detections: [] } },
  );
  await redis.del(trackHeaderKey(system.namespace, createTrack.id));
  redis.disconnect();
  const detect = (trackId: string) =>
    other.send(`mutation ($detection: CreateDetectionInput!) { createDetection(detection: $detection) { id } }`, {
      detection: { trackId, timestamp: startTime },
    });

  const found = await detect(createTrack.id);
  const unknown = await detect("never-created");

  expect(found.errors).toBeUndefined();
  expect(unknown.errors?.[0]?.extensions).toEqual({ code: "NOT_FOUND", path: ["detection", "trackId"] });
});
