import { getNamedType, isObjectType } from "graphql";
import { expect, test } from "vitest";
import { queries } from "../../../../services/api/fields/queries/index.ts";
import { types } from "../../../../services/api/fields/types/index.ts";
import { isOfOthers } from "../../../../services/api/graphql/payload-scope.ts";
import { createSchema } from "../../../../services/api/graphql/schema.ts";
import { createTestApi } from "./support.ts";

const video = { id: "v", dataSourceId: "ds", startTime: 0, endTime: null, path: "secret/other.mp4" };
const detection = {
  zoneIds: [],
  trackId: "t",
  dataSourceId: "ds",
  timestamp: 0,
  polygon: null,
  position: null,
  metadata: null,
};

async function asWriter() {
  const calls: string[] = [];
  const api = await createTestApi({
    resolvers: {
      Mutation: {
        createVideo: () => calls.push("createVideo") && video,
        createDetections: () => calls.push("createDetections") && [detection],
        updateVideo: () => calls.push("updateVideo") && { ...video, displayName: "own" },
        updateTrack: () => calls.push("updateTrack") && { trackId: "t", endTime: 5 },
      },
    },
  });
  const headers = api.token("write");
  return { calls, ask: (query: string, variables = {}) => api.ask(query, variables, headers), api };
}

const CREATE_VIDEO =
  'createVideo(video: {id: "v", dataSourceId: "ds", startTime: "1970-01-01T00:00:00Z", path: "x.mp4"})';

test.each([
  ["a link to a medium", `mutation { createVideo: ${CREATE_VIDEO} { id url } }`, ["createVideo", "url"]],
  ["another object", `mutation { v: ${CREATE_VIDEO} { id dataSource { id } } }`, ["v", "dataSource"]],
  ["a value of the track", "mutation { createDetections(detections: []) { id tag } }", ["createDetections", "tag"]],
  ["a list of others", "mutation { createDetections(detections: []) { z: zones { id } } }", ["createDetections", "z"]],
  [
    "a field in a fragment",
    "mutation { createDetections(detections: []) { ...A } } fragment A on Detection { ... on Detection { track { id } } }",
    ["createDetections", "track"],
  ],
  [
    "a field behind one that is the payload's own",
    `mutation { ${CREATE_VIDEO} { id } createDetections(detections: []) { geofenceIds } }`,
    ["createDetections", "geofenceIds"],
  ],
  [
    "what an update does not set",
    'mutation { updateVideo(video: {id: "v", displayName: "own"}) { id displayName startTime } }',
    ["updateVideo", "startTime"],
  ],
  [
    "what another update of the operation sets",
    `mutation {
      a: updateVideo(video: {id: "v", frameRate: 5}) { ...V }
      b: updateVideo(video: {id: "v", displayName: "own"}) { ...V }
    } fragment V on Video { frameRate }`,
    ["b", "frameRate"],
  ],
  [
    "a member that is given as null",
    'mutation { ... on Mutation { updateTrack(track: {id: "t", tag: null}) { tag } } }',
    ["updateTrack", "tag"],
  ],
  ["what a deletion removes", 'mutation { deleteZone(id: "z") { id name } }', ["deleteZone", "name"]],
])("a token with write alone is refused %s, and nothing is written", async (_name, query, path) => {
  const { calls, ask } = await asWriter();

  for (let times = 0; times < 2; times++) {
    const { status, body } = await ask(query);
    expect([status, body.data]).toEqual([403, undefined]);
    expect(body.errors[0].extensions).toEqual({ code: "FORBIDDEN", path });
  }
  expect(calls).toEqual([]);
});

test("a token with write alone reads the payload's own values", async () => {
  const { ask } = await asWriter();
  const query = `mutation {
    ${CREATE_VIDEO} { __typename id startTime displayName }
    createDetections(detections: []) { id timestamp position { coordinates } polygon { type } metadata }
  }`;

  const { body } = await ask(query);

  expect(body).toMatchObject({ data: { createVideo: { id: "v" }, createDetections: [{ position: null }] } });
  expect(body.errors).toBeUndefined();
});

test("a token with write alone reads the members that its update sets, whichever the variables give", async () => {
  const { ask } = await asWriter();
  const query =
    "mutation ($v: UpdateVideoInput!, $end: DateTimeOffset) {\n" +
    '  updateVideo(video: $v) { __typename id displayName } updateTrack(track: {id: "t", endTime: $end}) { id finished }\n}';
  const end = "1970-01-01T00:00:01Z";

  const { body } = await ask(query, { v: { id: "v", displayName: "own" }, end });
  expect(body).toEqual({
    data: {
      updateVideo: { __typename: "Video", id: "v", displayName: "own" },
      updateTrack: { id: "t", finished: true },
    },
  });
  const path = (variables: object) => ask(query, variables).then((answer) => answer.body.errors[0].extensions.path);
  expect(await path({ v: { id: "v", displayName: "own" } })).toEqual(["updateTrack", "finished"]);
  expect(await path({ v: { id: "v" }, end })).toEqual(["updateVideo", "displayName"]);
});

test("a token that may read as well gets everything", async () => {
  const { api } = await asWriter();
  const query = "mutation { createDetections(detections: []) { deviceId zoneIds } }";

  const { body } = await api.ask(query, {}, api.token("read", "write"));

  expect(body.data.createDetections).toEqual([{ deviceId: "ds", zoneIds: [] }]);
});

/** A new field of a payload is listed here and in payload-scope.ts: is it the object's own, or looked up elsewhere? */
const OWN = {
  ActivityChronicle: "metadata position",
  ChronicleProducer: "metadata",
  DataSourceClip: "id",
  Detection: "id frame polygon position metadata createdAt updatedAt globalTrackId",
  Device: "uuid position",
  DeviceCalibration: "markers",
  Event: "type subType position metadata properties",
  EventChronicle: "metadata",
  EventProducer: "invalidReasons metadata",
  Geofence: "bounds",
  Image: "id",
  Measurement: "id",
  PointOfInterest: "position metadata",
  Sensor: "position metadata",
  Site: "position polygon",
  SummaryChronicle: "metadata",
  Track: "id finished metadata",
  Zone: "id polygon",
};

test("every value of a payload that is not merely a member of the object is known as its own or as another's", () => {
  const schema = createSchema({ Query: queries, ...types });
  const own: Record<string, string> = {};
  for (const { type: payload } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const type = getNamedType(payload);
    if (!isObjectType(type)) continue;
    const made = Object.values(type.getFields()).filter(({ resolve }) => resolve !== undefined);
    const names = made.filter(({ name }) => !isOfOthers(schema, type.name, name)).map(({ name }) => name);
    if (names.length > 0) own[type.name] = names.join(" ");
  }

  expect(own).toEqual(OWN);
});
