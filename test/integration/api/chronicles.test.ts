// Chronicles through two instances of the API over real stores.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { follow } from "../feed/subscription.ts";
import { createClient, createInstallation } from "./services.ts";

type Client = ReturnType<typeof createClient>;

const START = "2026-01-01T00:00:00.000Z";
const END = "2026-01-01T01:00:00.000Z";

let installation: Awaited<ReturnType<typeof createInstallation>>;
let urls: readonly string[] = [];
let token = { id: "", value: "" };
let first: Client;
let second: Client;
let producer = "";
let site = "";
let camera = "";
let tag = "";

beforeAll(async () => {
  installation = await createInstallation();
  await Promise.all([installation.start("projector"), installation.start("state-machine")]);
  // The feed of an instance begins with the newest message: what it does not know, it must look up.
  const start = () => installation.startApi({ API_FEED_LOOKBACK_MESSAGES: "0" });
  urls = await Promise.all([start(), start()]);
  const headers = await installation.createToken("read,write");
  token = { id: headers["x-token-id"] ?? "", value: headers["x-token-value"] ?? "" };
  const [one = first, other = second] = urls.map((url) => createClient(url, headers));
  [first, second] = [one, other];
  await data(second, "{ sites { totalCount } }");
  const input = { name: "gate", active: true };
  producer = (await created("ChronicleProducer", input)).id;
  site = (await created("Site", { name: "harbour" })).id;
  camera = (await created("DataSource", { name: "camera", type: "VIDEO_DEVICE" })).id;
  const track = { dataSourceId: camera, tag: "Truck", startTime: START, detections: [] };
  await created("Track", track);
  tag = (await data(first, '{ tag(name: "truck") { id } }')).tag.id;
}, 120_000);

afterAll(() => installation.stop());

/** Fails when there are errors. */
async function data(ask: Client, query: string, variables: object = {}) {
  const { body } = await ask(query, variables);
  if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
  return body.data;
}

async function refusal(query: string, variables: object = {}) {
  const { status, body } = await first(query, variables);
  expect(status).not.toBe(500);
  return body.errors?.[0]?.extensions;
}

const memberOf = (type: string) => type.charAt(0).toLowerCase() + type.slice(1);
const writing = (word: "create" | "update", type: string, fields = "id") => {
  const input = `${word === "create" ? "Create" : "Update"}${type}Input!`;
  return `mutation ($input: ${input}) { it: ${word}${type}(${memberOf(type)}: $input) { ${fields} } }`;
};

async function created(type: string, input: object, fields = "id", ask = first) {
  return (await data(ask, writing("create", type, fields), { input })).it;
}

const activity = (input: object = {}) => ({
  name: "loading",
  chronicleProducerId: producer,
  startTime: START,
  ...input,
});
const A = "ActivityChronicle";

const EVERYTHING = `id name description startTime endTime timezone metadata priority status labels locations
  validation { status reason details validatedBy { id } } position { coordinates } chronicleProducer { id name }
  tracks { id } sites { id name } dataSources { id } tags { id name } pointsOfInterest { id } createdAt updatedAt`;

const read = async (ask: Client, id: string, fields = EVERYTHING) =>
  (await data(ask, `query ($id: ID!) { activityChronicle(id: $id) { ${fields} } }`, { id })).activityChronicle;

const update = async (ask: Client, input: object, fields = EVERYTHING) =>
  (await data(ask, writing("update", A, fields), { input })).it;

test("a created activity is read as it was answered, and its links in both ways", async () => {
  const made = await created(
    A,
    activity({
      ...{ endTime: END, timezone: "Europe/Berlin", metadata: { truck: { axles: 3 } }, labels: ["dock", "truck"] },
      ...{ validation: { status: "INVALID", summary: "no truck" }, position: { coordinates: [13.4, 52.5] } },
      ...{ siteIds: [site], dataSourceIds: [camera, camera], tagIds: [tag] },
    }),
    EVERYTHING,
  );

  expect(made).toMatchObject({
    ...{ name: "loading", startTime: START, endTime: END, description: null, metadata: { truck: { axles: 3 } } },
    validation: { status: "INVALID", reason: "no truck", details: null, validatedBy: null },
    ...{ position: { coordinates: [13.4, 52.5] }, chronicleProducer: { id: producer, name: "gate" } },
    ...{ sites: [{ id: site, name: "harbour" }], dataSources: [{ id: camera }], tags: [{ id: tag, name: "truck" }] },
    ...{ tracks: null, pointsOfInterest: null, locations: null },
  });
  // Not yet in the history of the second instance without its position; an update waits for the log's end.
  expect(await update(second, { id: made.id })).toEqual(made);
  expect(await read(second, made.id)).toEqual(made);
});

test("a client reads its own write with the position, on any instance", async () => {
  const { body } = await first(writing("create", A), { input: activity() });
  const { id } = body.data.it;

  const found = await second(
    `{ activityChronicle(id: "${id}") { id } }`,
    {},
    { "x-min-position": body.extensions.position },
  );

  expect(body.extensions.position).toMatch(/^chronicles:\d+:\d+$/);
  expect(found.body.data).toEqual({ activityChronicle: { id } });
});

test("a repeated creation changes nothing and answers with what is there", async () => {
  const id = randomUUID();
  const made = await created(A, activity({ id }), EVERYTHING);

  expect(await created(A, activity({ id, name: "other", labels: ["x"] }), EVERYTHING, second)).toEqual(made);
  const both = await Promise.all(
    [first, second].map((ask) => created(A, activity({ id: `${id}-2` }), EVERYTHING, ask)),
  );
  expect(both[0]).toEqual(both[1]);
});

test("a creation may be repeated on any instance when what it refers to is gone", async () => {
  const id = randomUUID();
  const { id: gone } = await created("Site", { name: "gone" });
  const input = activity({ id, siteIds: [gone] });
  await created(A, input);
  await update(first, { id, siteIds: null }, "id");
  await data(first, `mutation { deleteSite(id: "${gone}") { id } }`);

  expect(await created(A, input, "id sites { id }", second)).toEqual({ id, sites: null });
  expect(await created(A, input, "id sites { id }")).toEqual({ id, sites: null });
});

test("an update changes what it names and clears what it nulls", async () => {
  const { id } = await created(A, activity({ priority: "1", description: "a truck", labels: ["dock"] }));

  expect(await update(first, { id, status: "open", priority: null })).toMatchObject({
    ...{ status: "open", priority: null, description: "a truck", labels: ["dock"] },
  });
  expect(await update(second, { id, endTime: END, labels: null, siteIds: [site] })).toMatchObject({
    ...{ status: "open", endTime: END, labels: null, sites: [{ id: site }] },
  });
});

test("two instances that change different fields at the same time lose nothing", { timeout: 60_000 }, async () => {
  const { id } = await created(A, activity());
  const fields = ["name", "description", "priority", "status"];

  await Promise.all(
    fields.map(async (field, i) => {
      for (let n = 0; n < 3; n++)
        await update(i % 2 === n % 2 ? first : second, { id, [field]: `${field} ${n}` }, "id");
    }),
  );

  const all = Object.fromEntries(fields.map((field) => [field, `${field} 2`]));
  expect(await read(first, id)).toMatchObject(all);
  expect(await read(second, id)).toMatchObject(all);
});

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("images that two instances add at the same time are all there", async () => {
  const { id } = await created(A, activity());
  const upload = "mutation ($image: UploadImageInput!) { uploadImage(image: $image) { id } }";
  const image = (i: number) => ({
    data: PIXEL,
    timestamp: new Date(Date.parse(START) + i).toISOString(),
    ...(i % 2 === 0 ? { eventIds: [id] } : { activityChronicleIds: [id] }),
  });

  const answers = await Promise.all([0, 1, 2, 3].map((i) => data(i < 2 ? first : second, upload, { image: image(i) })));

  const uploaded = answers.map(({ uploadImage }) => uploadImage.id).sort();
  await update(first, { id, status: "seen" });
  const { images } = await read(second, id, "images { id url }");
  expect(images.map((each: { readonly id: string }) => each.id).sort()).toEqual(uploaded);
  const replaced = await update(second, { id, imageIds: uploaded.slice(0, 1) }, "images { id }");
  expect(replaced.images).toEqual([{ id: uploaded[0] }]);
  const unknown = { ...image(9), activityChronicleIds: ["none"] };
  expect(await refusal(upload, { image: unknown })).toMatchObject({
    ...{ code: "NOT_FOUND", path: ["image", "activityChronicleIds", 0] },
  });
});

test("what the log has is answered although the history does not answer in time", async () => {
  const { id } = await created(A, activity({ priority: "1" }));
  await update(first, { id, status: "open" }, "id");
  const headers = { "x-token-id": token.id, "x-token-value": token.value };
  const hasty = createClient(await installation.startApi({ API_POSITION_WAIT_MS: "0" }), headers);
  const named = randomUUID();

  expect(await update(hasty, { id, status: "closed" }, "name priority status")).toEqual({
    ...{ name: "loading", priority: "1", status: "closed" },
  });
  expect(await created(A, activity({ id: named }), "id name", hasty)).toEqual({ id: named, name: "loading" });
  const { body } = await hasty(`mutation { it: deleteActivityChronicle(id: "${id}") { id } }`);
  expect(body.data).toEqual({ it: { id } });
  const position = { "x-min-position": body.extensions.position };
  expect(
    (await second(`{ activityChronicle(id: "${id}") { id } }`, {}, position)).body.data.activityChronicle,
  ).toBeNull();
});

test("what is deleted is gone for everybody, and its id is used up", async () => {
  const id = randomUUID();
  const made = await created(A, activity({ id }), EVERYTHING);
  const remove = "mutation ($id: ID!) { deleteActivityChronicle(id: $id) { id name } }";

  expect((await data(first, remove, { id })).deleteActivityChronicle).toEqual({ id, name: made.name });
  expect(await read(second, id)).toBeNull();
  expect(await refusal(remove, { id })).toMatchObject({ code: "NOT_FOUND", path: ["id"] });
  expect(await refusal(writing("create", A), { input: activity({ id }) })).toMatchObject({ code: "CONFLICT" });
  expect(await refusal(writing("update", A), { input: { id, name: "x" } })).toMatchObject({ code: "NOT_FOUND" });
});

test("many are deleted at once, with null for those that are not there", async () => {
  const ids = await Promise.all([1, 2].map(async () => (await created(A, activity())).id));
  const remove = "mutation ($id: [ID]!) { it: deleteActivityChronicles(id: $id) { id } }";
  const [one, other] = ids;

  const { it } = await data(second, remove, { id: [one, "none", null, other, one] });

  expect(it).toEqual([{ id: one }, null, null, { id: other }, null]);
});

test("events and summaries link activities, and deleted ones drop out", async () => {
  const { id } = await created(A, activity());
  const { id: other } = await created(A, activity({ name: "other" }));
  const both = { activityChronicleIds: [id, other] };
  const event = await created("EventChronicle", {
    ...{ name: "opened", chronicleProducerId: producer, timestamp: START, ...both },
  });
  const summary = await created("SummaryChronicle", {
    ...{ name: "shift", chronicleProducerId: producer, startTime: START, endTime: END },
    ...{ ...both, eventChronicleIds: [event.id] },
  });
  await data(first, `mutation { deleteActivityChronicle(id: "${id}") { id } }`);
  const links = `{ id activityChronicles { id name } eventChronicles { id activityChronicles { id } } }`;

  const { summaryChronicle } = await data(second, `{ summaryChronicle(id: "${summary.id}") ${links} }`);

  expect(summaryChronicle).toEqual({
    id: summary.id,
    activityChronicles: [{ id: other, name: "other" }],
    eventChronicles: [{ id: event.id, activityChronicles: [{ id: other }] }],
  });
  const by = `(filter: { activityChronicleIds: { eq: ["${other}"] } }) { edges { node { id } } }`;
  expect(await data(first, `{ eventChronicles${by} summaryChronicles${by} }`)).toEqual({
    eventChronicles: { edges: [{ node: { id: event.id } }] },
    summaryChronicles: { edges: [{ node: { id: summary.id } }] },
  });
});

test.each(["ChronicleProducer", "Site", "DataSource"])("a %s that chronicles refer to is not deleted", async (type) => {
  const ids = { ChronicleProducer: producer, Site: site, DataSource: camera };
  await created(A, activity({ siteIds: [site], dataSourceIds: [camera] }));

  const refused = await refusal(`mutation ($id: ID!) { delete${type}(id: $id) { id } }`, {
    id: ids[type as keyof typeof ids],
  });

  expect(refused).toMatchObject({ code: "CONFLICT" });
  expect(refused.referrers.length).toBeGreaterThan(0);
  expect(refused.referrers.length).toBeLessThanOrEqual(100);
});

interface Reported {
  readonly it: { readonly id: string; readonly name: string; readonly status: string | null };
}

test("subscribers get the whole object, and miss nothing when they resume elsewhere", { timeout: 60_000 }, async () => {
  const label = randomUUID();
  const { id } = await created(A, activity({ labels: [label] }));
  const query = `subscription { it: activityChronicles(
    filter: { labels: { in: ["${label}"] }, status: { eq: "open" }, dataSourceIds: { eq: [] } }) { id name status } }`;
  const asked = { token, query };
  const subscription = await follow<Reported>({ ...asked, url: `${urls[1]}/graphql` });

  // The feed begins after the creation: it knows of it only what the history says.
  await update(first, { id, status: "open" }, "id");
  await update(second, { id, name: "unloading" }, "id");
  await update(first, { id, status: "closed" }, "id");
  const { id: other } = await created(A, activity({ labels: [label], status: "open" }));
  await data(first, `mutation { deleteActivityChronicle(id: "${other}") { id } }`);
  await update(first, { id, status: "open" }, "id");

  const messages = await subscription.atLeast(4);
  const reported = messages.map(({ data: { it } }) => it);
  const ofFirst = reported.filter((each) => each.id === id).map(({ name, status }) => [name, status]);
  expect(ofFirst).toEqual([
    ["loading", "open"],
    ["unloading", "open"],
    ["unloading", "open"],
  ]);
  expect(reported.filter((each) => each.id === other)).toHaveLength(1);
  const [{ extensions }] = messages as [(typeof messages)[number]];
  const { cursor } = extensions;
  const resumed = await follow<Reported>({ ...asked, cursor, url: `${urls[0]}/graphql` });
  const rest = (await resumed.atLeast(3)).map(({ data: { it } }) => it.id);
  expect(rest.sort()).toEqual([id, id, other].sort());
});

describe("events", () => {
  const event = (input: object = {}) => ({ eventProducerId: producer, type: "loading", startTime: START, ...input });
  const FIELDS = `id type subType startTime endTime draft priority validation { status reason } eventProducer { id }
    images { id } videos { id } dataSourceClips { id } properties { sites { id } dataSources { id } tags { name } }`;

  test("are the activities with the same ids, seen by both names", async () => {
    const made = await created(
      "Event",
      event({
        ...{ subType: "truck", validation: { status: "INVALID", reason: "no truck" }, priority: "1" },
        ...{ uploads: [{ data: PIXEL, dataSourceId: camera }], properties: { siteIds: [site], tags: ["Lorry"] } },
      }),
      FIELDS,
    );
    expect(made).toMatchObject({
      ...{
        type: "loading",
        subType: "truck",
        draft: false,
        priority: "1",
        endTime: null,
        eventProducer: { id: producer },
      },
      ...{ validation: { status: "INVALID", reason: "no truck" }, videos: [], dataSourceClips: [] },
      properties: { sites: [{ id: site }], dataSources: null, tags: [{ name: "lorry" }] },
    });
    expect(made.images).toHaveLength(1);

    await update(second, { id: made.id, labels: ["truck", "night"], description: "late" }, "id");
    const { it } = await data(first, writing("update", "Event", FIELDS), {
      input: { id: made.id, type: "unloading", subType: "van", draft: true, properties: { siteIds: null } },
    });

    expect(it).toMatchObject({ type: "unloading", subType: "van", draft: true, priority: "1", images: made.images });
    expect(it.properties).toMatchObject({ sites: null, tags: [{ name: "lorry" }] });
    expect(await read(second, made.id)).toMatchObject({
      ...{ name: "unloading", labels: ["van", "night"], description: "late", tags: [{ name: "lorry" }] },
    });
    const { event: found } = await data(second, `{ event(id: "${made.id}") { ${FIELDS} } }`);
    expect(found).toEqual(it);
  });

  test("keep their labels when an update gives the subtype that is there", async () => {
    const { id } = await created("Event", event({ subType: "truck" }));
    const labelled = await update(second, { id, labels: ["truck", "night"] }, "labels updatedAt");

    await data(first, writing("update", "Event"), { input: { id, subType: "truck" } });

    expect(await read(first, id, "labels updatedAt")).toEqual(labelled);
  });

  test("get the snapshots with their end, once", async () => {
    const timestamp = "2026-01-02T00:00:00.000Z";
    const { image } = await data(
      first,
      "mutation ($image: UploadImageInput!) { image: uploadImage(image: $image) { id } }",
      { image: { data: PIXEL, dataSourceId: camera, timestamp } },
    );
    const { id } = await created("Event", event());
    const snapshots = [{ dataSourceId: camera, timestamp }];
    const end = async (input: object) =>
      (await data(first, writing("update", "Event", "images { id }"), { input: { id, snapshots, ...input } })).it;

    expect(await end({})).toEqual({ images: [] });
    expect(await end({ endTime: END })).toEqual({ images: [image] });
    expect(await end({ endTime: END, imageIds: [] })).toEqual({ images: [] });
  });

  test("that are refused leave no tag behind", async () => {
    const tags = Array.from({ length: 3 }, () => randomUUID());
    const ofTags = tags.map((name, i) => `t${i}: tag(name: "${name}") { name }`).join(" ");
    const input = event({ properties: { tags } });

    expect(await refusal(writing("create", "Event"), { input: { ...input, eventProducerId: "none" } })).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await data(first, `{ ${ofTags} }`)).toEqual({ t0: null, t1: null, t2: null });
    const made = await created("Event", input, "properties { tags { name } }");
    expect(made.properties.tags).toEqual(tags.map((name) => ({ name })));
  });

  test("are found and followed by their own filters", { timeout: 60_000 }, async () => {
    const type = randomUUID();
    const filter = `{ type: { eq: "${type}" }, subType: { like: "RUC" }, or: [{ draft: { eq: false } }, { priority: { eq: "2" } }] }`;
    const subscription = await follow<Reported>({
      ...{ url: `${urls[0]}/graphql`, token },
      query: `subscription { it: eventActivity(filter: ${filter}) { id } }`,
    });
    const { id } = await created("Event", event({ type, subType: "truck" }));
    await created("Event", event({ type, subType: "van" }));
    await created("Event", event({ type, subType: "truck", draft: true }));

    const [reported] = await subscription.atLeast(1);
    expect(reported?.data.it.id).toBe(id);
    await update(first, { id, status: "seen" }, "id");
    await subscription.atLeast(2);
    const time = `time: { between: ["${START}", "${END}"] }`;
    const alternatives = `[{ ${time}, draft: { eq: false } }, { ${time}, priority: { eq: "2" } }]`;
    const { events } = await data(
      second,
      `{ events(filter: { ${time}, type: { eq: "${type}" }, subType: { like: "RUC" }, or: ${alternatives} }) {
        totalCount edges { node { id } } } }`,
      {},
    );
    expect(events).toEqual({ totalCount: 1, edges: [{ node: { id } }] });
  });

  test.each([
    ["no type", { type: "" }, "BAD_USER_INPUT", ["type"]],
    ["INVALID without a reason", { validation: { status: "INVALID" } }, "BAD_USER_INPUT", ["validation", "reason"]],
    ["an unknown producer", { eventProducerId: "none" }, "NOT_FOUND", ["eventProducerId"]],
    ["an unknown site", { properties: { siteIds: ["none"] } }, "NOT_FOUND", ["properties", "siteIds", 0]],
    [
      "a clip that no video covers",
      { clips: [{ dataSourceId: "<camera>", startTime: START, endTime: END }] },
      "NOT_FOUND",
      ["clips", 0],
    ],
    ["what is no image", { uploads: [{ data: "AAAA" }] }, "BAD_USER_INPUT", ["uploads", 0, "data"]],
  ])("are refused with %s", async (_words, input: object, code, path) => {
    const given = JSON.parse(JSON.stringify(input).replace("<camera>", camera));

    expect(await refusal(writing("create", "Event"), { input: event(given) })).toMatchObject({
      ...{ code, path: ["event", ...path] },
    });
  });
});

describe("refused", () => {
  const many = Array.from({ length: 10_000 }, (_, i) => `id-${i}`);
  const bad = "BAD_USER_INPUT";

  test.each([
    ["an unknown producer", { chronicleProducerId: "none" }, "NOT_FOUND", ["chronicleProducerId"]],
    ["an unknown site", { siteIds: [] as string[], tagIds: ["none"] }, "NOT_FOUND", ["tagIds", 0]],
    ["an unknown data source", { dataSourceIds: ["none"] }, "NOT_FOUND", ["dataSourceIds", 0]],
    ["an unknown image", { imageIds: ["none"] }, "NOT_FOUND", ["imageIds", 0]],
    ["an unknown track", { trackIds: ["none"] }, "NOT_FOUND", ["trackIds", 0]],
    ["an end before the start", { endTime: "2025-12-31T00:00:00Z" }, bad, ["endTime"]],
    ["INVALID without a reason", { validation: { status: "INVALID" } }, bad, ["validation", "summary"]],
    [
      "INVALID with an empty reason",
      { validation: { status: "INVALID", summary: " " } },
      bad,
      ["validation", "summary"],
    ],
    ["an empty name", { name: "" }, bad, ["name"]],
    ["no time zone", { timezone: "Mars/Olympus" }, bad, ["timezone"]],
    ["a time that the history cannot hold", { startTime: "1800-01-01T00:00:00Z" }, bad, ["startTime"]],
    ["ten thousand labels", { labels: many }, bad, ["labels"]],
    ["ten thousand sites", { siteIds: many }, bad, ["siteIds"]],
    ["a place outside the world", { position: { coordinates: [200, 0] } }, bad, ["position", "coordinates", 0]],
    ["a name of a megabyte", { name: "x".repeat(1_000_000) }, bad, ["name"]],
  ])("%s", async (_words, input, code, path) => {
    expect(await refusal(writing("create", A), { input: activity(input) })).toMatchObject({
      ...{ code, path: ["activityChronicle", ...path] },
    });
  });

  test("null for what may not be missing, and an end before the start that is there", async () => {
    const { id } = await created(A, activity());

    for (const field of ["name", "startTime"]) {
      const input = { id, [field]: null };
      expect(await refusal(writing("update", A), { input })).toMatchObject({
        code: bad,
        path: ["activityChronicle", field],
      });
    }
    const input = { id, endTime: "2025-12-31T00:00:00Z" };
    expect(await refusal(writing("update", A), { input })).toMatchObject({
      code: bad,
      path: ["activityChronicle", "endTime"],
    });
  });

  test.each([
    ["filters nested 50 deep", `{ ${"not: { ".repeat(50)} id: { eq: "x" } ${"} ".repeat(50)} }`],
    ["a between of one value", `{ startTime: { between: ["${START}"] } }`],
    ["a polygon without a ring", "{ position: { in: { coordinates: [] } } }"],
  ])("%s", async (_words, filter) => {
    expect(await refusal(`{ activityChronicles(filter: ${filter}) { totalCount } }`)).toMatchObject({ code: bad });
  });
});

test("ten thousand ids and wildcard characters are answered", async () => {
  const label = randomUUID();
  const { id } = await created(A, activity({ name: "100%_x", labels: [label] }));
  await update(first, { id, status: "read" }, "id");
  const ids = [...Array.from({ length: 10_000 }, () => randomUUID()), id];
  const list = `query ($filter: FilterActivityChronicleInput) {
    activityChronicles(filter: $filter) { totalCount edges { node { id } } } }`;
  const found = async (filter: object) =>
    (await data(first, list, { filter: { labels: { in: [label] }, ...filter } })).activityChronicles.totalCount;

  expect(await found({ id: { in: ids } })).toBe(1);
  expect(await found({ name: { like: "%_" } })).toBe(1);
  expect(await found({ name: { like: "1%x" } })).toBe(0);
  expect(await found({ timeRange: { containing: { start: START } } })).toBe(1);
});
