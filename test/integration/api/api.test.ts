import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { detectionId } from "../../../schemas/identity.ts";
import { square } from "../../support/scenes/zone.ts";
import { createClient, createInstallation, WAIT } from "./services.ts";

type Client = ReturnType<typeof createClient>;

const ZONE = [square(100)];
const START = Date.now() - 60_000;
const at = (ms: number) => new Date(START + ms).toISOString();

/** A box of 10 by 10 pixels with its lower left corner at (x, x). */
const box = (x: number) => ({ coordinates: [square(10, x, x)] });

let installation: Awaited<ReturnType<typeof createInstallation>>;
let url: string;
let ask: Client;

beforeAll(async () => {
  installation = await createInstallation();
  [url] = await Promise.all([
    installation.startApi(),
    installation.start("projector"),
    installation.start("state-machine", { TRACK_TTL: "15" }),
  ]);
  const token = await installation.createToken("read,write");
  ask = createClient(url, token);
  await vi.waitFor(async () => expect((await ask("{ zones { totalCount } }")).body.data).toBeDefined(), WAIT);
});

afterAll(() => installation.stop());

async function createCamera(name: string) {
  const created = await ask(
    `mutation { createDataSource(dataSource: {name: "${name}", type: VIDEO_DEVICE, labels: ["yard"]}) { id } }`,
  );
  const dataSourceId: string = created.body.data.createDataSource.id;
  const zone = await ask(
    "mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id dataSource { name } polygon { coordinates } } }",
    { zone: { dataSourceId, name: "Gate", polygon: { coordinates: ZONE } } },
  );
  expect(zone.body.data.createZone).toMatchObject({ dataSource: { name }, polygon: { coordinates: ZONE } });
  return { dataSourceId, zoneId: zone.body.data.createZone.id as string, position: zone.body.extensions.position };
}

/** A walk through the zone: in with the first detection, out with the fourth. */
async function walk(dataSourceId: string, tag = "car") {
  const detections = [0, 40, 80, 200, 240].map((x, i) => ({ timestamp: at(i * 1_000), polygon: box(x) }));
  const track = { dataSourceId, tag, startTime: at(0), endTime: at(4_000), detections, metadata: { lane: 2 } };
  const { body } = await ask("mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }", { track });
  return { trackId: body.data.createTrack.id as string, position: body.extensions.position as string };
}

test("a client reads at once what it has written, in every view of it", async () => {
  const { dataSourceId, zoneId } = await createCamera("Yard");
  const { trackId, position } = await walk(dataSourceId);

  const { body } = await ask(
    `query ($id: ID!, $range: [DateTimeOffset!]!) {
      track(id: $id) {
        id tag startTime endTime finished metadata deviceIds
        dataSource { id name labels }
        detections { id timestamp zones { name } zoneIds track { id } polygon { type coordinates } }
        zoneIntersections { startTime endTime zone { id name } track { id } }
      }
      zoneIntersections(filter: {time: {between: $range}, zoneId: {eq: "${zoneId}"}}) {
        totalCount edges { node { track { id tag } startTime endTime } }
      }
    }`,
    { id: trackId, range: [at(0), at(10_000)] },
    { "x-min-position": position },
  );

  expect(body.errors).toBeUndefined();
  expect(body.data.track).toMatchObject({
    tag: "car",
    startTime: at(0),
    endTime: at(4_000),
    finished: true,
    metadata: { lane: 2 },
    deviceIds: [dataSourceId],
    dataSource: { id: dataSourceId, name: "Yard", labels: ["yard"] },
    zoneIntersections: [{ startTime: at(0), endTime: at(3_000), zone: { id: zoneId }, track: { id: trackId } }],
  });
  expect(body.data.track.detections).toHaveLength(5);
  expect(body.data.track.detections[0]).toMatchObject({
    id: detectionId(dataSourceId, trackId, START),
    zoneIds: [zoneId],
    zones: [{ name: "Gate" }],
    track: { id: trackId },
    polygon: { type: "Polygon", ...box(0) },
  });
  expect(body.data.track.detections.map((each: { zoneIds: string[] }) => each.zoneIds.length)).toEqual([1, 1, 1, 0, 0]);
  expect(body.data.zoneIntersections).toEqual({
    totalCount: 1,
    edges: [{ node: { track: { id: trackId, tag: "car" }, startTime: at(0), endTime: at(3_000) } }],
  });
});

test("tracks and detections come in pages that miss and repeat nothing", async () => {
  const { dataSourceId } = await createCamera("Pages");
  let position = "";
  for (let i = 0; i < 5; i++) ({ position } = await walk(dataSourceId, `tag${i}`));
  const seen: string[] = [];
  let after: string | null = null;

  for (let more = true; more; ) {
    const { body } = await ask(
      `query ($after: String, $filter: FilterTrackInput!) {
        tracks(filter: $filter, first: 2, after: $after) {
          totalCount pageInfo { hasNextPage hasPreviousPage endCursor } edges { node { tag detections(first: 2) { timestamp } } }
        }
      }`,
      { after, filter: { dataSourceId: { eq: dataSourceId } } },
      { "x-min-position": position },
    );
    expect(body.errors).toBeUndefined();
    const { totalCount, pageInfo, edges } = body.data.tracks;
    expect(totalCount).toBe(5);
    expect(pageInfo.hasPreviousPage).toBe(after !== null);
    for (const { node } of edges) {
      seen.push(node.tag);
      expect(node.detections).toEqual([{ timestamp: at(0) }, { timestamp: at(1_000) }]);
    }
    after = pageInfo.endCursor;
    more = pageInfo.hasNextPage;
  }

  expect(seen.sort()).toEqual(["tag0", "tag1", "tag2", "tag3", "tag4"]);
});

test("tracks are found by what is known of their data source", async () => {
  const { dataSourceId } = await createCamera("Labels");
  const { trackId, position } = await walk(dataSourceId);
  const found = async (filter: object) => {
    const query = "query ($filter: FilterTrackInput!) { tracks(filter: $filter) { edges { node { id } } } }";
    const { body } = await ask(
      query,
      { filter: { and: [{ id: { eq: trackId } }, filter] } },
      { "x-min-position": position },
    );
    return body.data.tracks.edges.length;
  };

  expect(await found({ dataSourceLabels: { in: ["yard"] } })).toBe(1);
  expect(await found({ dataSourceLabels: { in: ["indoor"] } })).toBe(0);
  expect(await found({ dataSourceType: { eq: "VIDEO_DEVICE" } })).toBe(1);
  expect(await found({ deviceId: { eq: dataSourceId } })).toBe(1);
  expect(await found({ siteId: { eq: "s" } })).toBe(0);
});

test("the answer of a mutation may ask for more than the mutation knows", async () => {
  const { dataSourceId, zoneId } = await createCamera("Answer");
  const { trackId } = await walk(dataSourceId, "bus");

  const { body } = await ask(
    "mutation ($d: CreateDetectionInput!) { createDetection(detection: $d) { id zoneIds tag track { tag detections { id } } } }",
    { d: { trackId, timestamp: at(5_000), polygon: box(300) } },
  );

  expect(body.errors).toBeUndefined();
  expect(body.data.createDetection).toMatchObject({ zoneIds: [], tag: "bus", track: { tag: "bus" } });
  expect(body.data.createDetection.track.detections).toHaveLength(6);
  expect(zoneId).toBeTruthy();
});

test("another instance sees the same, when it is told the position", async () => {
  const second = createClient(await installation.startApi(), await installation.createToken("read"));
  const camera = await createCamera("Second");
  const zoneSeen = { "x-min-position": camera.position };
  expect((await second(`{ zone(id: "${camera.zoneId}") { name } }`, {}, zoneSeen)).body.data.zone).toEqual({
    name: "Gate",
  });
  const { trackId, position } = await walk(camera.dataSourceId);
  const seen = { "x-min-position": position };

  const { body } = await second(
    `{ track(id: "${trackId}") { dataSource { name } zoneIntersections { zone { name } } } }`,
    {},
    seen,
  );

  expect(body.data.track).toEqual({ dataSource: { name: "Second" }, zoneIntersections: [{ zone: { name: "Gate" } }] });
});

test("history remembers the name of a zone that is deleted", async () => {
  const { dataSourceId, zoneId } = await createCamera("Deleted");
  const { trackId } = await walk(dataSourceId);
  const deleted = await ask(`mutation { deleteZone(id: "${zoneId}") { name } }`);
  const seen = { "x-min-position": deleted.body.extensions.position };

  const { body } = await ask(
    `{ zone(id: "${zoneId}") { id } track(id: "${trackId}") { zoneIntersections { zone { name } } } }`,
    {},
    seen,
  );

  expect(body.data).toEqual({ zone: null, track: { zoneIntersections: [{ zone: { name: "Gate" } }] } });
});

test("zones are listed as they were at a past moment, as they were listed then", async () => {
  const cameras = await Promise.all(["Ahead", "Behind"].map(createCamera));
  const [first, second] = cameras;
  if (first === undefined || second === undefined) throw new Error("no cameras");
  const ids = cameras.map(({ dataSourceId }) => dataSourceId);
  const listed = `edges { cursor node { id name active updatedAt dataSource { id } polygon { coordinates } } }
    totalCount pageInfo { endCursor hasNextPage }`;
  const list = (asOf?: string, args = "") => {
    const when = asOf === undefined ? "" : `asOf: "${asOf}"`;
    const filter = `filter: { dataSourceId: { in: ${JSON.stringify(ids)} } } ${args}`;
    return ask(`{ zones(${when} ${filter}) { ${listed} } zone(${when} id: "${first.zoneId}") { id name } }`);
  };
  const recorded: { readonly at: string; readonly data: unknown }[] = [];
  const record = async () => {
    // The clock of the broker is that of this machine, and its times are whole milliseconds.
    await delay(5);
    const now = new Date();
    const { body } = await list();
    recorded.push({ at: now.toISOString(), data: body.data });
    await delay(5);
  };
  const update = (zone: object) =>
    ask("mutation ($zone: UpdateZoneInput!) { updateZone(zone: $zone) { id } }", { zone });

  const before = new Date(START).toISOString();
  await record();
  await update({ id: first.zoneId, name: "Renamed", polygon: { coordinates: [square(50)] } });
  await record();
  await update({ id: first.zoneId, dataSourceId: second.dataSourceId, active: false });
  await record();
  await ask(`mutation { deleteZone(id: "${first.zoneId}") { id } }`);
  await record();

  for (const { at: moment, data } of recorded) expect((await list(moment)).body).toMatchObject({ data });
  expect(new Set(recorded.map(({ data }) => JSON.stringify(data))).size).toBe(recorded.length);
  expect((await list(before)).body.data).toMatchObject({ zones: { totalCount: 0 }, zone: null });
  const moment = recorded[1]?.at;
  const pages = await list(moment, "first: 1");
  const next = await list(moment, `first: 1 after: "${pages.body.data.zones.pageInfo.endCursor}"`);
  const whole = (await list(moment)).body.data.zones.edges;
  expect([...pages.body.data.zones.edges, ...next.body.data.zones.edges]).toEqual(whole);

  for (const wrong of [new Date(Date.now() + 60_000).toISOString(), "yesterday"]) {
    expect((await list(wrong)).body.errors[0].extensions.code).toBe("BAD_USER_INPUT");
  }
  const many = Array.from({ length: 40 }, (_, i) => `z${i}: zones(asOf: "${at(i)}") { totalCount }`);
  const answers = (await ask(`{ ${many.join(" ")} }`)).body;
  const codes = new Set(answers.errors.map((error: { extensions: { code: string } }) => error.extensions.code));
  expect(codes).toEqual(new Set(["TOO_MANY_REQUESTS"]));
  expect(Object.values(answers.data)).toContainEqual({ totalCount: 0 });
});

test("without a timestamp only tracks of the last 24 hours are found", async () => {
  const { dataSourceId } = await createCamera("Old");
  const old = Date.now() - 25 * 3_600_000;
  const startTime = new Date(old).toISOString();
  const track = { dataSourceId, tag: "car", startTime, detections: [{ timestamp: startTime, polygon: box(0) }] };
  const created = await ask("mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }", { track });
  const { id } = created.body.data.createTrack;
  const seen = { "x-min-position": created.body.extensions.position };
  const find = async (timestamp?: string) =>
    (
      await ask(
        "query ($id: ID!, $t: DateTimeOffset) { track(id: $id, timestamp: $t) { id } }",
        { id, t: timestamp },
        seen,
      )
    ).body;

  expect(await find()).toEqual({ data: { track: null } });
  expect(await find(startTime)).toEqual({ data: { track: { id } } });
  expect(await find(new Date(old - 25 * 3_600_000).toISOString())).toEqual({ data: { track: null } });
});

test.each(["camera-log:0:999999999", "camera-log:99:0", "catalog:1:0"])(
  "%s, which is not in the log, is BAD_USER_INPUT",
  async (position) => {
    const query = '{ track(id: "t") { id zoneIntersections { id } } dataSource(id: "d") { id } }';

    const { body } = await ask(query, {}, { "x-min-position": position });

    expect(body.errors[0].extensions).toEqual({ code: "BAD_USER_INPUT", path: ["x-min-position"] });
  },
);

test("a revoked token is refused as soon as the instance has heard of it", async () => {
  const token = await installation.createToken("read");
  const client = createClient(url, token);
  await vi.waitFor(async () => expect((await client("{ zones { totalCount } }")).status).toBe(200), WAIT);

  await installation.runTokens("revoke", token["x-token-id"] ?? "");

  await vi.waitFor(async () => expect((await client("{ zones { totalCount } }")).status).toBe(401), WAIT);
  expect(await installation.runTokens("list")).toMatch(new RegExp(`${token["x-token-id"]}\tread\tread\t.*revoked`));
});
