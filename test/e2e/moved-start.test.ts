// Two instances of the API remember the same track: when one moves its start, the other may neither refuse nor undo
// that.
import { expect, test } from "vitest";
import { freePort } from "../../services/embedded/tools/free-port.ts";
import { createGraphQLClient, type GraphQLClient } from "../support/clients/graphql-client.ts";
import { type System, startSystem } from "../support/running/system.ts";

const START = Date.parse("2026-01-01T00:01:00.000Z");
const at = (seconds: number): string => new Date(START + seconds * 1_000).toISOString();

test("what another instance did to a track holds for the one that remembers it otherwise", async () => {
  const system = await startSystem();
  const first = system.client;
  const second = await startApi(system);
  await createTrack(first);
  // Now both remember the start.
  await update(second, { tag: "bike" });
  await update(first, { startTime: at(-30) });

  const early = await detect(second, -20);
  const tooEarly = await detect(second, -40);

  expect(early.errors).toBeUndefined();
  expect(tooEarly.errors?.[0]?.extensions).toEqual({ code: "BAD_USER_INPUT", path: ["detection", "timestamp"] });
});

test("an update by an instance that remembers an older start leaves the new one, for everybody", async () => {
  const system = await startSystem();
  const first = system.client;
  const second = await startApi(system);
  await createTrack(first);
  await update(second, { tag: "bike" });
  await update(first, { startTime: at(-30) });

  const updated = await update(second, { tag: "car" });
  // This instance does not know the track, and trusts the shared entry.
  const third = await startApi(system);

  expect(updated).toEqual({ tag: "car", startTime: at(-30) });
  expect(await update(third, { endTime: at(-25) })).toEqual({ tag: "car", startTime: at(-30) });
  expect(await createTrack(third)).toEqual({ tag: "car", startTime: at(-30) });
});

async function startApi(system: System): Promise<GraphQLClient> {
  const port = await freePort();
  await system.start("api", { API_PORT: String(port) });
  return createGraphQLClient(`http://127.0.0.1:${port}/graphql`, system.token);
}

interface Header {
  readonly tag: string;
  readonly startTime: string;
}

/** The second call is a repetition, which changes nothing. */
async function createTrack(client: GraphQLClient): Promise<Header> {
  const { dataSources } = await client.ask<{ dataSources: { edges: { node: { id: string } }[] } }>(
    "{ dataSources { edges { node { id } } } }",
  );
  const known = dataSources.edges[0]?.node.id;
  const dataSourceId =
    known ??
    (
      await client.ask<{ createDataSource: { id: string } }>(
        `mutation { createDataSource(dataSource: { name: "gate", type: VIDEO_DEVICE }) { id } }`,
      )
    ).createDataSource.id;
  const track = { id: "t", dataSourceId, tag: "person", startTime: at(0), detections: [] };
  const { createTrack } = await client.ask<{ createTrack: Header }>(
    "mutation ($track: CreateTrackInput!) { createTrack(track: $track) { tag startTime } }",
    { track },
  );
  return createTrack;
}

async function update(client: GraphQLClient, changes: object): Promise<Header> {
  const { updateTrack } = await client.ask<{ updateTrack: Header }>(
    "mutation ($track: UpdateTrackInput!) { updateTrack(track: $track) { tag startTime } }",
    { track: { id: "t", ...changes } },
  );
  return updateTrack;
}

const detect = (client: GraphQLClient, seconds: number) =>
  client.send("mutation ($detection: CreateDetectionInput!) { createDetection(detection: $detection) { id } }", {
    detection: { trackId: "t", timestamp: at(seconds) },
  });
