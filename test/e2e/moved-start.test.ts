// Two instances of the API remember the same track: when one moves its start, the other may neither refuse nor undo
// that.
import { expect, test } from "vitest";
import { freePort } from "../../services/embedded/tools/free-port.ts";
import { createGraphQLClient, type GraphQLClient } from "../support/clients/graphql-client.ts";
import { type System, shareSystem } from "../support/running/system.ts";

const START = Date.parse("2026-01-01T00:01:00.000Z");
const at = (seconds: number): string => new Date(START + seconds * 1_000).toISOString();

const sharedSystem = shareSystem();

test("what another instance did to a track holds for the one that remembers it otherwise", async () => {
  const system = sharedSystem();
  const track = trackOf("remembered");
  const first = system.client;
  const second = await startApi(system);
  await track.create(first);
  // Now both remember the start.
  await track.update(second, { tag: "bike" });
  await track.update(first, { startTime: at(-30) });

  const early = await track.detect(second, -20);
  const tooEarly = await track.detect(second, -40);

  expect(early.errors).toBeUndefined();
  expect(tooEarly.errors?.[0]?.extensions).toEqual({ code: "BAD_USER_INPUT", path: ["detection", "timestamp"] });
});

test("an update by an instance that remembers an older start leaves the new one, for everybody", async () => {
  const system = sharedSystem();
  const track = trackOf("moved");
  const first = system.client;
  const second = await startApi(system);
  await track.create(first);
  await track.update(second, { tag: "bike" });
  await track.update(first, { startTime: at(-30) });

  const updated = await track.update(second, { tag: "car" });
  // This instance does not know the track, and trusts the shared entry.
  const third = await startApi(system);

  expect(updated).toEqual({ tag: "car", startTime: at(-30) });
  expect(await track.update(third, { endTime: at(-25) })).toEqual({ tag: "car", startTime: at(-30) });
  expect(await track.create(third)).toEqual({ tag: "car", startTime: at(-30) });
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

const trackOf = (id: string) => ({
  /** The second call is a repetition, which changes nothing. */
  create: (client: GraphQLClient) => createTrack(client, id),

  async update(client: GraphQLClient, changes: object): Promise<Header> {
    const { updateTrack } = await client.ask<{ updateTrack: Header }>(
      "mutation ($track: UpdateTrackInput!) { updateTrack(track: $track) { tag startTime } }",
      { track: { id, ...changes } },
    );
    return updateTrack;
  },

  detect: (client: GraphQLClient, seconds: number) =>
    client.send("mutation ($detection: CreateDetectionInput!) { createDetection(detection: $detection) { id } }", {
      detection: { trackId: id, timestamp: at(seconds) },
    }),
});

async function createTrack(client: GraphQLClient, id: string): Promise<Header> {
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
  const track = { id, dataSourceId, tag: "person", startTime: at(0), detections: [] };
  const { createTrack } = await client.ask<{ createTrack: Header }>(
    "mutation ($track: CreateTrackInput!) { createTrack(track: $track) { tag startTime } }",
    { track },
  );
  return createTrack;
}
