import { expect, test } from "vitest";
import { tagOf } from "../../../../projections/catalog/tag.ts";
import { unavailable } from "../../../../schemas/errors.ts";
import { limits } from "../../../../schemas/limits.ts";
import { noWriter } from "../../../support/scenes/catalog.ts";
import { createEntityApi } from "./entity-api.ts";

const CREATE = "mutation ($track: CreateTrackInput!) { createTrack(track: $track) { tag } }";
const track = (tag: string) => ({
  ...{ id: tag, dataSourceId: "yard", tag, detections: [] },
  startTime: "2026-01-01T00:00:00Z",
});

/** `logged`: the tracks that the log got. */
async function createYard() {
  const logged: string[] = [];
  const api = await createEntityApi({
    routing: {
      ifKnown: async () => undefined,
      created: async (header) => header,
      known: (trackId) => ({ ...header, trackId }),
      updated: async (header) => header,
    },
    writer: {
      ...noWriter,
      cameraLog: async (events) => {
        for (const { event } of events) if ("trackId" in event) logged.push(event.trackId);
        return events.map((_, offset) => ({ topic: "camera-log", partition: 0, offset }));
      },
    },
  });
  await api.data('mutation { createDataSource(dataSource: { id: "yard", name: "Yard", type: FOLDER }) { id } }');
  const create = (tag: string) => api.data(CREATE, { track: track(tag) });
  const names = async (args = ""): Promise<string[]> =>
    (await api.data(`{ tags${args} { edges { node { name } } } }`)).tags.edges.map(
      ({ node }: { node: { name: string } }) => node.name,
    );
  return { ...api, create, names, logged };
}

const none = { endTime: null, modelId: null, properties: null, metadata: null };
const header = {
  dataSourceId: "yard",
  tag: "car",
  startTime: 0,
  firstDetectionAt: null,
  lastDetectionAt: null,
  ...none,
};

test("the first track with a tag makes it, in lower case; others find it by id or name", async () => {
  const { data, create, names } = await createYard();
  await create("Fork Lift");
  await create("fork lift");
  await create("FORK LIFT");

  expect(await names()).toEqual(["fork lift"]);
  const made = tagOf("fork lift");
  const { id } = made;
  expect(made.color).toMatch(/^#[0-9a-f]{6}$/);
  for (const by of [`id: "${id}"`, 'name: "Fork LIFT"', `id: "${id}", name: "fork lift"`]) {
    expect((await data(`{ tag(${by}) { id name color } }`)).tag).toEqual(made);
  }
  for (const by of ['id: "none"', 'name: "none"', `id: "${id}", name: "none"`]) {
    expect((await data(`{ tag(${by}) { id } }`)).tag).toBeNull();
  }
});

test("a tag is asked for by its id or its name", async () => {
  const { refusal } = await createYard();

  expect(await refusal("{ tag { id } }")).toEqual({ code: "BAD_USER_INPUT" });
});

test("an update makes the tag that it gives; one that is refused makes none", async () => {
  const { data, refusal, create, names } = await createYard();
  const update = "mutation ($track: UpdateTrackInput!) { updateTrack(track: $track) { tag } }";
  await create("car");

  await data(update, { track: { id: "t", tag: "Bus" } });
  expect(
    await refusal(update, {
      track: { id: "t", tag: "tram", startTime: "9999-01-01T00:00:00Z", endTime: "2026-01-01T00:00:00Z" },
    }),
  ).toMatchObject({ code: "BAD_USER_INPUT" });
  expect(await refusal(CREATE, { track: { ...track("tram"), dataSourceId: "none" } })).toMatchObject({
    code: "NOT_FOUND",
  });
  expect(await names()).toEqual(["bus", "car"]);
});

test("a track whose tag the log does not take is refused, and may come again", async () => {
  const { create, refusal, names, logged, failNext } = await createYard();
  failNext(unavailable("the log did not take the message", 250));

  expect(await refusal(CREATE, { track: track("car") })).toMatchObject({ code: "UNAVAILABLE" });
  expect(logged).toEqual([]);
  await create("car");
  expect(await names()).toEqual(["car"]);
});

test("many tracks that begin with a tag at once write it once", async () => {
  const { create, written } = await createYard();
  const before = written();

  await Promise.all(Array.from({ length: 20 }, () => create("car")));
  expect(written() - before).toBe(1);
});

test("beyond the bound a track is taken and its tag is not made", async () => {
  const { create, catalog, data, logged } = await createYard();
  for (let i = 0; i < limits.maxTags; i++) {
    const { id, ...set } = tagOf(`tag ${i}`);
    catalog.applyOwn({ type: "TagChanged", event: { id, change: "created", at: 0, set, cleared: [] } }, 1_000 + i);
  }

  await create("one more");
  expect(logged).toEqual(["one more"]);
  expect(await data('{ tag(name: "one more") { id } tags { totalCount } }')).toEqual({
    tag: null,
    tags: { totalCount: limits.maxTags },
  });
});

test.each([
  ["", ["bus", "car"]],
  ["(sort: { field: LABEL_NAME, direction: DESC })", ["car", "bus"]],
  ['(filter: { name: { eq: "CAR" } })', ["car"]],
  [`(filter: { id: { ne: "${tagOf("car").id}" } })`, ["bus"]],
])("tags%s", async (args, expected) => {
  const { create, names } = await createYard();
  await create("Car");
  await create("bus");

  expect(await names(args)).toEqual(expected);
});

test("names of tags have colours that differ from each other as a rule", () => {
  const colors = new Set(Array.from({ length: 20 }, (_, i) => tagOf(`tag ${i}`).color));

  expect(colors.size).toBeGreaterThan(15);
});
