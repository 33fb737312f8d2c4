import { expect, test } from "vitest";
import { at, change, created, iso } from "../../support/scenes/feed-events.ts";
import { createInstallation } from "./installation.ts";
import { follow } from "./subscription.ts";

interface Intersections {
  readonly zoneIntersections: {
    readonly state: string;
    readonly message: {
      readonly id: string;
      readonly endTime: string | null;
      readonly zone?: { readonly name: string };
      readonly track?: { readonly id: string; readonly tag: string; readonly metadata: unknown };
    };
  };
}

const installation = await createInstallation();
const STATES = `subscription ($filter: FilterZoneIntersectionMessageInput) {
  zoneIntersections(filter: $filter) { state message { id endTime } }
}`;

const statesOf = (all: readonly { readonly data: Intersections }[]) =>
  all.map(({ data: { zoneIntersections } }) => [zoneIntersections.state, zoneIntersections.message.endTime]);

test("what the state machine writes again after a crash is told once, and endTime comes with END only", async () => {
  const api = await installation.startApi();
  const subscription = await follow<Intersections>({ ...api, query: STATES });
  const outputs = [
    change("START", 10, { endTime: null }),
    change("UPDATE", 11, { endTime: at(7) }),
    change("END", 12, { endTime: at(8), cause: { partition: 0, offset: 12, index: 0 } }),
    change("START", 12, { startTime: at(8), cause: { partition: 0, offset: 12, index: 1 } }),
  ];

  await installation.recordIntersections(...outputs, ...outputs.slice(1));
  // An expiry by the wall clock may be taken back.
  await installation.recordIntersections(change("END", 13), change("UPDATE", 14), change("END", 15));

  expect(statesOf(await subscription.atLeast(7))).toEqual([
    ["START", null],
    ["UPDATE", null],
    ["END", iso(8)],
    ["START", null],
    ["END", iso(9)],
    ["UPDATE", null],
    ["END", iso(9)],
  ]);
});

test("repetitions of what stood in the log before anybody listened are told to nobody", async () => {
  const partition = 1;
  const outputs = [20, 21, 22].map((offset) => change("UPDATE", offset, { cause: { partition, offset, index: 0 } }));
  await installation.recordIntersections(...outputs);
  const api = await installation.startApi();
  const subscription = await follow<Intersections>({ ...api, query: STATES });

  await installation.recordIntersections(...outputs, change("END", 23, { cause: { partition, offset: 23, index: 0 } }));

  expect(statesOf(await subscription.atLeast(1))).toEqual([["END", iso(9)]]);
});

test("track and zone of an intersection are there although the history has neither", async () => {
  const api = await installation.startApi();
  await api.routing.created(
    {
      ...{ trackId: "seen", dataSourceId: "cam", tag: "truck", startTime: at(0), endTime: null },
      ...{ modelId: null, properties: null, metadata: '{"colour":"red"}' },
    },
    0,
  );
  const zone = { zoneId: "gate", dataSourceId: "cam", name: "Gate", active: true, createdAt: 0, updatedAt: 0 };
  const shape = { polygon: { rings: [[0, 0, 9, 0, 9, 9, 0, 0]], crs: null }, enterDetections: 1, exitDelayMs: 0 };
  installation.zones.apply({
    ...{ zoneId: "gate", dataSourceId: "cam", movedTo: null, refusal: null, partition: 0, offset: 0 },
    zone: { ...zone, ...shape, anchor: "area" },
  });
  const query =
    "subscription { zoneIntersections { state message { id endTime zone { name } track { id tag metadata } } } }";
  const subscription = await follow<Intersections>({ ...api, query });

  await installation.recordIntersections(
    change("START", 30, { trackId: "seen", zoneId: "gate", cause: { partition: 2, offset: 30, index: 0 } }),
  );

  const [reported] = await subscription.atLeast(1);
  expect(reported?.data.zoneIntersections.message).toMatchObject({
    zone: { name: "Gate" },
    track: { id: "seen", tag: "truck", metadata: { colour: "red" } },
  });
});

test("filters select by zone, data source and state", async () => {
  const api = await installation.startApi();
  const ask = (filter: object) => follow<Intersections>({ ...api, query: STATES, variables: { filter } });
  const byZone = await ask({ zoneId: { in: ["z1"] } });
  const ends = await ask({ and: [{ dataSourceId: { eq: "cam2" } }, { state: { eq: "END" } }] });
  const notUpdates = await ask({ not: { state: { eq: "UPDATE" } }, dataSourceId: { in: ["cam2", "cam3"] } });
  let offset = 40;
  const next = (state: "START" | "UPDATE" | "END", zoneId: string, dataSourceId: string) =>
    change(state, offset++, { zoneId, dataSourceId });

  await installation.recordIntersections(
    next("START", "z1", "cam1"),
    next("START", "z2", "cam2"),
    next("UPDATE", "z2", "cam2"),
    next("END", "z2", "cam2"),
    next("END", "z3", "cam3"),
    next("UPDATE", "z1", "cam1"),
  );

  expect(statesOf(await byZone.atLeast(2)).map(([state]) => state)).toEqual(["START", "UPDATE"]);
  expect(statesOf(await notUpdates.atLeast(3)).map(([state]) => state)).toEqual(["START", "END", "END"]);
  expect(statesOf(await ends.atLeast(1)).map(([state]) => state)).toEqual(["END"]);
});

test("a track is known from its creation on, whatever else is subscribed to", async () => {
  const api = await installation.startApi();
  const tracks = await follow({ ...api, query: "subscription { tracks { state } }" });
  const query = "subscription { zoneIntersections { state message { id endTime track { id tag metadata } } } }";
  const subscription = await follow<Intersections>({ ...api, query });
  await installation.record(created("known", { tag: "bus" }));
  await tracks.atLeast(1);

  await installation.recordIntersections(change("START", 60, { trackId: "known", tag: "bus" }));

  const [reported] = await subscription.atLeast(1);
  expect(reported?.data.zoneIntersections.message.track).toEqual({ id: "known", tag: "bus", metadata: null });
});

test("a track is not taken for that of another data source with its id", async () => {
  const api = await installation.startApi();
  const tracks = await follow({ ...api, query: "subscription { tracks { state } }" });
  const query = "subscription { zoneIntersections { state message { id endTime track { id tag } } } }";
  const subscription = await follow<Intersections>({ ...api, query });
  await installation.record(created("same", { tag: "bus", dataSourceId: "cam9" }));
  await tracks.atLeast(1);

  await installation.recordIntersections(
    change("START", 70, { trackId: "same", tag: "person", dataSourceId: "cam8" }),
    change("START", 71, { trackId: "same", tag: "bus", dataSourceId: "cam9" }),
  );

  const reported = await subscription.atLeast(2);
  expect(reported.map(({ data }) => data.zoneIntersections.message.track)).toEqual([
    { id: "same", tag: "person" },
    { id: "same", tag: "bus" },
  ]);
});
