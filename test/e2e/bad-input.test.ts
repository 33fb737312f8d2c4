// Answers to bad input, line by line, on a whole system; none of it reaches the log.
import { expect, test } from "vitest";
import { kafkaEnv, loadConfig } from "../../services/common/config.ts";
import { createKafka } from "../../services/common/kafka/client.ts";
import { offsetRanges } from "../../services/common/kafka/offsets.ts";
import { createLog } from "../../services/common/log.ts";
import { startSystem } from "../support/running/system.ts";

const START = "2026-01-01T00:00:00.000Z";
const CREATE_TRACK = "mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }";
const CREATE_ZONE = "mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }";
const DETECT = "mutation ($detection: CreateDetectionInput!) { createDetection(detection: $detection) { id } }";

const square = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
  [0, 0],
];
const bowTie = [
  [0, 0],
  [10, 10],
  [10, 0],
  [0, 10],
  [0, 0],
];
const circle = (points: number) => {
  const ring = Array.from({ length: points }, (_, i) => [
    500 + 400 * Math.cos((i * 2 * Math.PI) / points),
    500 + 400 * Math.sin((i * 2 * Math.PI) / points),
  ]);
  return [...ring, ring[0]];
};
const inFuture = (ms: number) => new Date(Date.now() + ms).toISOString();

test("bad input is answered with its code and path, and publishes nothing", async () => {
  const { client, url, env, namespace } = await startSystem();
  const { createDataSource } = await client.ask<{ createDataSource: { id: string } }>(
    `mutation { createDataSource(dataSource: { name: "gate", type: VIDEO_DEVICE }) { id } }`,
  );
  const dataSourceId = createDataSource.id;
  const header = { dataSourceId, tag: "person", startTime: START, detections: [] };
  const known = await client.ask<{ createTrack: { id: string } }>(CREATE_TRACK, { track: header });
  const trackId = known.createTrack.id;
  const end = () => endOfLog(env, `${namespace}.camera-log`);
  const before = await end();

  const zone = (coordinates: unknown) => ({ zone: { dataSourceId, name: "z", polygon: { coordinates } } });
  const track = (changes: object) => ({ track: { ...header, ...changes } });
  const detection = (changes: object) => ({ detection: { trackId, timestamp: START, ...changes } });
  const rows: readonly [string, string, object, string, readonly (string | number)[] | undefined][] = [
    ["unknown field", "{ nothing }", {}, "BAD_USER_INPUT", undefined],
    ["wrong type", CREATE_TRACK, track({ tag: 5 }), "BAD_USER_INPUT", ["track", "tag"]],
    ["missing required", CREATE_TRACK, { track: { dataSourceId } }, "BAD_USER_INPUT", ["track"]],
    ["unclosed", CREATE_ZONE, zone([square.slice(0, 4)]), "BAD_USER_INPUT", ["zone", "polygon", "coordinates", 0]],
    ["self-intersecting", CREATE_ZONE, zone([bowTie]), "BAD_USER_INPUT", ["zone", "polygon", "coordinates", 0]],
    ["empty", CREATE_ZONE, zone([]), "BAD_USER_INPUT", ["zone", "polygon", "coordinates"]],
    ["not numbers", CREATE_ZONE, zone([[[null, 1]]]), "BAD_USER_INPUT", ["zone", "polygon", "coordinates", 0, 0, 0]],
    ["10 001 vertices", CREATE_ZONE, zone([circle(10_000)]), "BAD_USER_INPUT", ["zone", "polygon", "coordinates"]],
    [
      "time without offset",
      DETECT,
      detection({ timestamp: "2026-01-01T00:00:00" }),
      "BAD_USER_INPUT",
      ["detection", "timestamp"],
    ],
    [
      "end before start",
      CREATE_TRACK,
      track({ endTime: "2025-12-31T23:59:59Z" }),
      "BAD_USER_INPUT",
      ["track", "endTime"],
    ],
    [
      "detection before the track",
      DETECT,
      detection({ timestamp: "2025-12-31T23:59:59Z" }),
      "BAD_USER_INPUT",
      ["detection", "timestamp"],
    ],
    [
      "six minutes ahead",
      DETECT,
      detection({ timestamp: inFuture(360_000) }),
      "BAD_USER_INPUT",
      ["detection", "timestamp"],
    ],
    ["unknown data source", CREATE_TRACK, track({ dataSourceId: "none" }), "NOT_FOUND", ["track", "dataSourceId"]],
    ["unknown track", DETECT, detection({ trackId: "none" }), "NOT_FOUND", ["detection", "trackId"]],
    ["unknown zone", `mutation { deleteZone(id: "none") { id } }`, {}, "NOT_FOUND", ["id"]],
    ["page too large", "{ zones(first: 1001) { totalCount } }", {}, "BAD_USER_INPUT", ["first"]],
    [
      "too many aliases",
      `{ ${Array.from({ length: 200 }, (_, i) => `a${i}: zone(id: "z") { id }`).join(" ")} }`,
      {},
      "BAD_USER_INPUT",
      undefined,
    ],
  ];
  for (const [name, query, variables, code, path] of rows) {
    const { errors } = await client.send(query, variables);
    expect({ name, code: errors?.[0]?.extensions.code }).toEqual({ name, code });
    if (path !== undefined) expect({ name, path: errors?.[0]?.extensions.path }).toEqual({ name, path });
  }

  const tooLarge = await client.send(`{ zone(id: "${"z".repeat(9 * 1024 * 1024)}") { id } }`);
  expect([tooLarge.status, tooLarge.errors?.[0]?.extensions.code]).toEqual([413, "BAD_USER_INPUT"]);
  const anonymous = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
  expect([anonymous.status, await anonymous.text()]).toEqual([401, expect.stringContaining('"UNAUTHENTICATED"')]);
  expect(await end()).toEqual(before);

  const turned = await client.send<{ createDetection: { direction: number } }>(
    DETECT.replace("{ id }", "{ direction }"),
    detection({ direction: 400, timestamp: "2026-01-01T00:00:01Z" }),
  );
  expect(turned.data?.createDetection.direction).toBe(40);
});

async function endOfLog(env: Readonly<Record<string, string>>, topic: string): Promise<number[]> {
  const admin = createKafka("test", loadConfig(kafkaEnv, env), createLog("test", "silent")).admin();
  await admin.connect();
  try {
    return (await offsetRanges(admin, topic)).map(({ high }) => high);
  } finally {
    await admin.disconnect();
  }
}
