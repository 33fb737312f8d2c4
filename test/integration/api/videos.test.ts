// Videos from the mutations of two instances, or from a recorder that writes to the topic itself, to their readers.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { follow } from "../feed/subscription.ts";
import { createClient, createInstallation, WAIT } from "./services.ts";

const START = Date.now() - 3_600_000;
const at = (ms: number) => new Date(START + ms).toISOString();
const VIDEO = "id startTime endTime displayName frameRate resolutionHeight dataSource { id }";
const CREATE = `mutation ($video: CreateVideoInput!) { createVideo(video: $video) { ${VIDEO} } }`;
const UPDATE = `mutation ($video: UpdateVideoInput!) { updateVideo(video: $video) { ${VIDEO} } }`;
const READ = `query ($id: ID!) { video(id: $id) { ${VIDEO} url thumbnailUrl createdBy { id } } }`;
const SUBSCRIBE = `subscription ($filter: FilterVideoActivityInput) { videoActivity(filter: $filter) { id url } }`;

const installation = await createInstallation();
afterAll(() => installation.stop());

let url: string;
let headers: Readonly<Record<string, string>>;
let ask: ReturnType<typeof createClient>;
let other: ReturnType<typeof createClient>;

beforeAll(async () => {
  const [first, second] = await Promise.all([
    installation.startApi(),
    installation.startApi(),
    installation.start("projector"),
  ]);
  url = first;
  headers = await installation.createToken("read,write");
  ask = createClient(first, headers);
  other = createClient(second, headers);
  const create = "mutation ($d: CreateDataSourceInput!) { createDataSource(dataSource: $d) { id } }";
  await vi.waitFor(async () => {
    for (const client of [ask, other]) {
      expect(
        (await client(create, { d: { id: "gate", name: "Gate", type: "VIDEO_DEVICE" } })).body.errors,
      ).toBeUndefined();
    }
  }, WAIT);
});

const video = (id: string, changes: object = {}) => {
  return { id, dataSourceId: "gate", startTime: at(0), path: `recordings/${id}.mp4`, ...changes };
};

test("a video is created once, updated on two instances at the same time, and read with signed links", async () => {
  const created = await ask(CREATE, { video: video("v1", { displayName: "Gate", resolutionHeight: "1080" }) });
  const whole = {
    ...{ id: "v1", startTime: at(0), endTime: null, displayName: "Gate", frameRate: null },
    ...{ resolutionHeight: "1080", dataSource: { id: "gate" } },
  };
  expect(created.body).toMatchObject({ data: { createVideo: whole } });
  const again = await other(CREATE, { video: video("v1", { displayName: "Other", startTime: at(5) }) });
  expect(again.body.data.createVideo).toEqual(whole);

  const [renamed, ended] = await Promise.all([
    ask(UPDATE, { video: { id: "v1", displayName: "North gate", thumbnailPath: "recordings/v1.jpg" } }),
    other(UPDATE, { video: { id: "v1", endTime: at(60_000), frameRate: 25, resolutionHeight: null } }),
  ]);
  expect([renamed.body.errors, ended.body.errors]).toEqual([undefined, undefined]);
  const min = { "x-min-position": `${renamed.body.extensions.position},${ended.body.extensions.position}` };
  const { body } = await ask(READ, { id: "v1" }, min);
  expect(body.data.video).toEqual({
    ...whole,
    ...{ displayName: "North gate", endTime: at(60_000), frameRate: 25, resolutionHeight: null, createdBy: null },
    url: expect.stringMatching(/\/media\/recordings\/v1\.mp4\?expires=\d+&signature=/),
    thumbnailUrl: expect.stringMatching(/\/media\/recordings\/v1\.jpg\?expires=\d+&signature=/),
  });
});

test("a video is updated at once after its creation, on the other instance too", async () => {
  const { body } = await ask(CREATE, { video: { dataSourceId: "gate", startTime: at(0), path: "a.mp4" } });
  const { id } = body.data.createVideo;

  const updated = await other(UPDATE, { video: { id, endTime: at(1_000) } });
  expect(updated.body.data.updateVideo).toMatchObject({ id, startTime: at(0), endTime: at(1_000) });
});

test.each([
  ["dataSourceId", { dataSourceId: "nobody" }, "NOT_FOUND"],
  ["path", { path: "../etc/passwd" }, "BAD_USER_INPUT"],
  ["path", { path: "" }, "BAD_USER_INPUT"],
  ["thumbnailPath", { thumbnailPath: "a/.link-key" }, "BAD_USER_INPUT"],
  ["endTime", { endTime: at(-1) }, "BAD_USER_INPUT"],
  ["startTime", { startTime: at(86_400_000) }, "BAD_USER_INPUT"],
  ["frameRate", { frameRate: -1 }, "BAD_USER_INPUT"],
  ["displayName", { displayName: "x".repeat(1_025) }, "BAD_USER_INPUT"],
  ["id", { id: "" }, "BAD_USER_INPUT"],
])("a creation is refused for its %s", async (field, changes, code) => {
  const { body } = await ask(CREATE, { video: video("refused", changes) });

  expect(body.errors[0].extensions).toMatchObject({ code, path: ["video", field] });
});

test("an update is refused for what it may not clear, for an end before the start, and for no video", async () => {
  await ask(CREATE, { video: video("v2") });
  const refusal = async (changes: object) => {
    const { body } = await ask(UPDATE, { video: { id: "v2", ...changes } });
    return body.errors[0].extensions;
  };

  expect(await refusal({ path: null })).toMatchObject({ code: "BAD_USER_INPUT", path: ["video", "path"] });
  expect(await refusal({ startTime: null })).toMatchObject({ code: "BAD_USER_INPUT", path: ["video", "startTime"] });
  expect(await refusal({ endTime: at(-5) })).toMatchObject({ code: "BAD_USER_INPUT", path: ["video", "endTime"] });
  expect(await refusal({ id: "nobody" })).toMatchObject({ code: "NOT_FOUND", path: ["video", "id"] });
});

test("a track shows the video that covers its start, and lists the videos of a time", async () => {
  await ask("mutation ($d: CreateDataSourceInput!) { createDataSource(dataSource: $d) { id } }", {
    d: { id: "yard", name: "Yard", type: "VIDEO_DEVICE" },
  });
  const recording = (id: string, from: number, to: number | null) =>
    ask(CREATE, {
      video: video(id, { dataSourceId: "yard", startTime: at(from), endTime: to === null ? null : at(to) }),
    });
  await recording("yard-1", 0, 10_000);
  await recording("yard-2", 10_001, 20_000);
  const last = await recording("yard-3", 30_000, null);
  const track = (id: string, from: number) => ({
    id,
    dataSourceId: "yard",
    tag: "car",
    startTime: at(from),
    detections: [],
  });
  let position = last.body.extensions.position;
  for (const one of [track("t1", 500), track("t2", 25_000), track("t3", 999_000)]) {
    const { body } = await ask("mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }", {
      track: one,
    });
    position += `,${body.extensions.position}`;
  }

  const { body } = await ask(
    `query ($time: [DateTimeOffset!]!) {
      tracks(filter: { time: { between: $time }, dataSourceId: { eq: "yard" } }) { edges { node { id video { id } } } }
      videos(filter: { startTime: { between: $time }, dataSourceId: { eq: "yard" }, endTime: { attributeExists: true } }) {
        totalCount edges { node { id } }
      }
    }`,
    { time: [at(0), at(1_000_000)] },
    { "x-min-position": position },
  );
  expect(body.errors).toBeUndefined();
  expect(body.data.tracks.edges.map(({ node }: { node: unknown }) => node)).toEqual([
    { id: "t1", video: { id: "yard-1" } },
    { id: "t2", video: null },
    { id: "t3", video: { id: "yard-3" } },
  ]);
  expect(body.data.videos).toEqual({ totalCount: 2, edges: [{ node: { id: "yard-1" } }, { node: { id: "yard-2" } }] });
});

test("subscribers hear of each new video once, as their filters ask, also from recorders", async () => {
  const token = { id: headers["x-token-id"] ?? "", value: headers["x-token-value"] ?? "" };
  const subscribe = (filter: object | null) =>
    follow<{ videoActivity: { id: string; url: string } }>({
      ...{ url: `${url}/graphql`, token, query: SUBSCRIBE, variables: { filter } },
    });
  const [all, gate] = [await subscribe(null), await subscribe({ dataSourceId: { eq: "gate" } })];

  await other(CREATE, { video: video("s1") });
  await other(CREATE, { video: video("s1") });
  await other(UPDATE, { video: { id: "s1", displayName: "changed" } });
  const nothing = { endTime: null, thumbnailPath: null, displayName: null, frameRate: null };
  const set = { ...nothing, startTime: START, path: "r.mp4", resolutionHeight: null, resolutionWidth: null };
  const recorded = { id: "recorded", dataSourceId: "hall", at: START, change: "created", set, cleared: [] } as const;
  await installation.publish("VideoChanged", recorded);
  // Its path leads out of the store: readers refuse it.
  await installation.publish("VideoChanged", { ...recorded, id: "bad", set: { ...set, path: "../x" } });
  await other(CREATE, { video: video("s2") });

  const idsOf = (received: readonly { readonly data: { readonly videoActivity: { readonly id: string } } }[]) =>
    received.map(({ data }) => data.videoActivity.id);
  expect(idsOf(await gate.atLeast(2))).toEqual(["s1", "s2"]);
  expect(idsOf(await all.atLeast(3)).toSorted()).toEqual(["recorded", "s1", "s2"]);
  expect(all.received()[0]?.data.videoActivity.url).toContain("/media/recordings/s1.mp4?expires=");
});
