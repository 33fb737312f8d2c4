import { expect, test } from "vitest";
import { at, created, detection, expired, iso, recorded, updated } from "../../support/scenes/feed-events.ts";
import { createInstallation } from "./installation.ts";
import { follow } from "./subscription.ts";

interface Tracks {
  readonly tracks: { readonly state: string; readonly message: Readonly<Record<string, unknown>> };
}

const installation = await createInstallation();
const QUERY = `subscription ($filter: FilterTrackMessageInput) {
  tracks(filter: $filter) { state message { id tag startTime endTime finished metadata dataSource { id } } }
}`;

test("a track's life is told as START, UPDATE and END", async () => {
  const api = await installation.startApi();
  const subscription = await follow<Tracks>({
    ...api,
    query: QUERY,
    variables: { filter: { dataSourceId: { eq: "life" } } },
  });
  const life = { dataSourceId: "life" };

  await installation.record(
    created("t1", { ...life, detections: [detection("t1", 0)] }),
    recorded("life", detection("t1", 1)),
    updated("t1", { ...life, tag: "car", metadata: '{"a":1}' }),
    created("t1", { ...life, detections: [detection("t1", 0)] }),
    recorded("life", detection("t1", 1)),
    expired("t1", 1, { dataSourceId: "life" }),
    created("t2", { ...life, endTime: at(5) }),
    updated("t1", { ...life, endTime: at(2) }),
  );

  const reported = (await subscription.atLeast(7)).map(({ data: { tracks } }) => [
    tracks.state,
    tracks.message["id"],
    tracks.message["tag"],
    tracks.message["endTime"],
    tracks.message["finished"],
  ]);
  expect(reported).toEqual([
    ["START", "t1", "person", null, false],
    ["UPDATE", "t1", "person", null, false],
    ["UPDATE", "t1", "car", null, false],
    ["END", "t1", "car", iso(1), true],
    ["START", "t2", "person", null, false],
    ["END", "t2", "person", iso(5), true],
    ["UPDATE", "t1", "car", iso(2), true],
  ]);
});

test("cameras that number their tracks alike, in one partition or two, have each their own messages", async () => {
  const api = await installation.startApi();
  const cameras = ["alike-1", "alike-2", "alike-3"];
  const ofCamera = (dataSourceId: string) =>
    follow<Tracks>({ ...api, query: QUERY, variables: { filter: { dataSourceId: { eq: dataSourceId } } } });
  const subscriptions = await Promise.all(cameras.map(ofCamera));

  await installation.record(
    ...cameras.map((dataSourceId) => created("17", { dataSourceId, tag: `of ${dataSourceId}` })),
  );
  await installation.record(...cameras.map((dataSourceId, i) => recorded(dataSourceId, detection("17", i + 1))));
  await installation.record(
    ...cameras.map((dataSourceId, i) => expired("17", i + 1, { dataSourceId })),
    ...cameras.map((dataSourceId) => updated("17", { dataSourceId, metadata: '{"a":1}' })),
  );

  for (const [i, subscription] of subscriptions.entries()) {
    const reported = (await subscription.atLeast(4)).map(({ data: { tracks } }) => [
      tracks.state,
      tracks.message["tag"],
      tracks.message["endTime"],
    ]);
    const tag = `of ${cameras[i]}`;
    expect(reported).toEqual([
      ["START", tag, null],
      ["UPDATE", tag, null],
      ["END", tag, iso(i + 1)],
      ["UPDATE", tag, iso(i + 1)],
    ]);
  }
});

test("an instance that starts later shows a repeated creation as the track that the history has", async () => {
  const source = { dataSourceId: "long there" };
  const here = { position: { longitude: 10, latitude: 50, altitude: null, crs: null } };
  await installation.recordAndProject(
    created("t3", { ...source, detections: [detection("t3", 1, here)], metadata: '{"a":1}' }),
  );
  const api = await installation.startApi({ API_FEED_LOOKBACK_MESSAGES: "0" });
  const subscription = await follow<Tracks>({
    ...api,
    query: `subscription ($filter: FilterTrackMessageInput) {
      tracks(filter: $filter) { state message { id tag startTime metadata detections { timestamp } } }
    }`,
    variables: { filter: { position: { near: { point: { coordinates: [10, 50] }, radius: 200 } } } },
  });

  await installation.record(
    created("t3", { ...source, tag: "bus", startTime: at(7), detections: [detection("t3", 8)] }),
  );

  const [start] = await subscription.atLeast(1);
  expect(start?.data.tracks).toEqual({
    state: "START",
    message: {
      id: "t3",
      tag: "person",
      startTime: iso(0),
      metadata: { a: 1 },
      // The history has not read the repetition.
      detections: [{ timestamp: iso(1) }],
    },
  });
});

test("subscriptions that differ in a null or in what they leave out are not taken for one", async () => {
  const api = await installation.startApi();
  const query = `subscription ($first: Int = 1, $id: ID!) {
    tracks(filter: { id: { eq: $id }, state: { eq: UPDATE } }) { state message { detections(first: $first) { timestamp } } }
  }`;
  const ask = (variables: object) => follow<Tracks>({ ...api, query, variables: { id: "two", ...variables } });
  const subscriptions = [
    await ask({}),
    await ask({ first: null }),
    await ask({ first: 1, none: [null] }),
    await ask({ first: 2 }),
  ];

  await installation.recordAndProject(created("two", { detections: [detection("two", 0), detection("two", 1)] }));
  await installation.record(updated("two", { tag: "car" }));

  const firsts = await Promise.all(subscriptions.map((each) => each.atLeast(1)));
  const counts = firsts.map(([first]) => first?.data.tracks.message["detections"]);
  expect(counts).toMatchObject([{ length: 1 }, { length: 2 }, { length: 1 }, { length: 2 }]);
});
