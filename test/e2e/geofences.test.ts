// A walk over geofences that change on the way, through the whole system: the queries and the subscription must give
// the same as brute force.
import { expect, test } from "vitest";
import { partitionKeys } from "../../schemas/redis-keys.ts";
import type { GraphQLClient } from "../support/clients/graphql-client.ts";
import { subscribe } from "../support/clients/subscriber.ts";
import { byTrackFenceAndStart, expectedStays, type OracleStay } from "../support/oracles/geofence-oracle.ts";
import { quickSettings, TTL_MS } from "../support/running/final-state-settings.ts";
import { settled } from "../support/running/settled.ts";
import { useStack } from "../support/running/stack.ts";
import { FEW_INSERTS, inspect, startSystem } from "../support/running/system.ts";
import { oracleSteps, randomWalk, type WalkStep } from "../support/scenes/geofence-walks.ts";
import { createRandom } from "../unit/projections/live/random-log.ts";

const TRACKS = ["t0", "t1", "t2"];
const FROM = "2026-01-01T00:00:00.000Z";

interface Message {
  readonly geofenceIntersections: {
    readonly state: string;
    readonly message: { id: string; startTime: string; endTime: string | null; geofence: Ref; track: Ref };
  };
}
interface Ref {
  readonly id: string;
}

const STAY = "id startTime endTime track { id } geofence { id }";
const SUBSCRIPTION = `subscription { geofenceIntersections { state message { ${STAY} } } }`;

test("a walk over changing geofences gives the intersections of brute force, in queries and subscriptions", async () => {
  const system = await startSystem({ ...FEW_INSERTS, ...(await quickSettings(useStack().env)) });
  const inspector = await inspect(system);
  const { client } = system;
  await setUp(client);
  const listener = await subscribe<Message>({ ...system, query: SUBSCRIPTION });
  const steps = randomWalk(createRandom(188), 250);

  for (const [i, step] of steps.entries()) {
    if (i === 100) await system.restart("state-machine");
    await play(client, step);
  }
  await inspector.settled();

  const expected = expectedStays(oracleSteps(steps), TTL_MS);
  expect(expected.length).toBeGreaterThan(30);
  expect(await pageOfStays(client)).toEqual(expected);
  const ofTracks = await Promise.all(TRACKS.map((id) => staysOfTrack(client, id)));
  expect(ofTracks.flat().sort(byTrackFenceAndStart)).toEqual(expected);
  await settled(() => staysReceived(listener.received.map(({ data }) => data)).length === expected.length);
  expect(staysReceived(listener.received.map(({ data }) => data))).toEqual(expected);
  listener.drop();
  await expectDetections(client, expected);

  // Live state that was lost is folded again from the log, and derives nothing anew.
  const outputs = await inspector.outputIds();
  expect(outputs.length).toBeGreaterThan(expected.length);
  await system.services["state-machine"].stop();
  for (let i = 0; i < inspector.partitions; i++)
    await inspector.redis.del(...Object.values(partitionKeys(system.namespace, i)));
  await system.start("state-machine");
  await inspector.settled();
  expect((await inspector.outputIds()).sort()).toEqual(outputs.sort());
});

async function setUp(client: GraphQLClient): Promise<void> {
  await client.ask('mutation { createSite(site: { id: "s", name: "Site" }) { id } }');
  for (const id of TRACKS) {
    await client.ask(
      `mutation ($track: CreateTrackInput!) {
        createDataSource(dataSource: { id: "${id}", name: "${id}", type: GEOPOSITION }) { id }
        createTrack(track: $track) { id }
      }`,
      { track: { id, dataSourceId: id, tag: "person", startTime: FROM, detections: [] } },
    );
  }
}

async function play(client: GraphQLClient, step: WalkStep): Promise<void> {
  if (step.kind === "seen") {
    const { trackId, timestamp, position } = step.detection;
    const place = position === null ? {} : { position: { coordinates: [position.longitude, position.latitude] } };
    const box = { polygon: { coordinates: [points([0, 0, 10, 0, 10, 10, 0, 10, 0, 0])] } };
    await client.ask("mutation ($d: [CreateDetectionInput!]!) { createDetections(detections: $d) { id } }", {
      d: [{ trackId, timestamp: new Date(timestamp).toISOString(), ...box, ...place }],
    });
    return;
  }
  const { id, change, set } = step.event;
  if (change === "deleted") return void (await client.ask(`mutation { deleteGeofence(id: "${id}") { id } }`));
  const [name, type] =
    change === "created" ? ["createGeofence", "CreateGeofenceInput!"] : ["updateGeofence", "UpdateGeofenceInput!"];
  const given = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== null));
  const bounds = set.bounds === null ? {} : { bounds: { polygon: { coordinates: set.bounds.rings.map(points) } } };
  await client.ask(`mutation ($geofence: ${type}) { ${name}(geofence: $geofence) { id } }`, {
    geofence: { ...given, id, ...bounds },
  });
}

const points = (ring: readonly number[]): number[][] =>
  ring.flatMap((x, i) => (i % 2 === 0 ? [[x, ring[i + 1] ?? 0]] : []));

interface Stay {
  readonly id: string;
  readonly startTime: string;
  readonly endTime: string | null;
  readonly geofence: Ref;
  readonly track: Ref;
}

const toStay = ({ startTime, endTime, geofence, track }: Stay): OracleStay => ({
  ...{ trackId: track.id, geofenceId: geofence.id, start: Date.parse(startTime) },
  end: endTime === null ? Number.NaN : Date.parse(endTime),
});

async function pageOfStays(client: GraphQLClient): Promise<OracleStay[]> {
  const { geofenceIntersections } = await client.ask<{
    geofenceIntersections: { totalCount: number; edges: { node: Stay }[] };
  }>(
    `{ geofenceIntersections(first: 1000, filter: { time: { between: ["${FROM}", "2027-01-01T00:00:00.000Z"] } }) { totalCount edges { node { ${STAY} } } } }`,
  );
  expect(geofenceIntersections.totalCount).toBe(geofenceIntersections.edges.length);
  return geofenceIntersections.edges.map(({ node }) => toStay(node)).sort(byTrackFenceAndStart);
}

async function staysOfTrack(client: GraphQLClient, id: string): Promise<OracleStay[]> {
  const { track } = await client.ask<{ track: { geofenceIntersections: Stay[] } }>(
    `{ track(id: "${id}", timestamp: "${FROM}") { geofenceIntersections { ${STAY} } } }`,
  );
  return track.geofenceIntersections.map(toStay);
}

const staysReceived = (messages: readonly Message[]): OracleStay[] =>
  [...new Map(messages.map(({ geofenceIntersections: { message } }) => [message.id, message])).values()]
    .map(toStay)
    .sort(byTrackFenceAndStart);

/** A detection lists the geofences that it lies in, and the filter finds it by each of them. */
async function expectDetections(client: GraphQLClient, expected: readonly OracleStay[]): Promise<void> {
  const { detections } = await client.ask<{
    detections: { edges: { node: { timestamp: string; track: Ref; geofences: Ref[]; geofenceIds: string[] } }[] };
  }>(
    `{ detections(first: 1000, filter: { time: { between: ["${FROM}", "2027-01-01T00:00:00.000Z"] } }) {
      edges { node { timestamp track { id } geofences { id } geofenceIds } } } }`,
  );
  const nodes = detections.edges.map(({ node }) => node);
  for (const { timestamp, track, geofences, geofenceIds } of nodes) {
    const at = Date.parse(timestamp);
    const around = expected.filter(({ trackId, start, end }) => trackId === track.id && start <= at && at <= end);
    expect(geofences.map(({ id }) => id)).toEqual(geofenceIds);
    expect(around.map(({ geofenceId }) => geofenceId)).toEqual(expect.arrayContaining(geofenceIds));
  }
  const [id] = nodes.flatMap(({ geofenceIds }) => geofenceIds);
  const found = await client.ask<{ detections: { totalCount: number } }>(
    `{ detections(first: 1, filter: { time: { between: ["${FROM}", "2027-01-01T00:00:00.000Z"] }, geofenceId: { eq: "${id}" } }) { totalCount } }`,
  );
  expect(found.detections.totalCount).toBe(nodes.filter(({ geofenceIds }) => geofenceIds.includes(id ?? "")).length);
  expect(found.detections.totalCount).toBeGreaterThan(0);
}
