// Clips and snapshots, over all services, with a stand-in for ffmpeg and without one.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { imageFormat } from "../../../services/api/media/image-format.ts";
import { standIn } from "../../support/running/stand-in.ts";
import { png } from "../../support/scenes/images.ts";
import { createClient, createInstallation } from "../api/services.ts";
import { makeDir } from "./serve.ts";

type Ask = ReturnType<typeof createClient>;
const cleanUps: (() => Promise<unknown>)[] = [];
/** With the stand-in on the PATH, and without any program. */
let ask: Ask;
let askWithout: Ask;
/** With the stand-in, and a token that may not write. */
let askReading: Ask;
let runs: () => Promise<readonly string[]>;
let position: { "x-min-position": string };

const at = (time: string) => `2026-01-01T12:${time}Z`;
const FRAME = png(16, 9);

beforeAll(async () => {
  const { dir, remove } = await makeDir();
  const media = join(dir, "media");
  const installation = await createInstallation();
  cleanUps.push(installation.stop, remove);
  await mkdir(join(media, "gate"), { recursive: true });
  await writeFile(join(media, "gate", "noon.mp4"), "a film");
  await writeFile(join(dir, "frame"), FRAME);
  const path = await standIn(dir, `echo "$@" >> ${dir}/runs; cat ${dir}/frame`);
  runs = async () => (await readFile(join(dir, "runs"), "utf8").catch(() => "")).split("\n").filter(Boolean);
  const token = await installation.createToken("read,write");
  const [, ...urls] = await Promise.all([
    installation.start("projector"),
    installation.startApi({ MEDIA_DIR: media, PATH: path }),
    installation.startApi({ MEDIA_DIR: media, PATH: join(dir, "nothing") }),
  ]);
  [ask, askWithout] = urls.map((url) => createClient(url, token)) as [Ask, Ask];
  askReading = createClient(urls[0] ?? "", await installation.createToken("read"));
  const made = await ask(`mutation {
    a: createDataSource(dataSource: { id: "gate", name: "Gate", type: VIDEO_DEVICE }) { id }
    p: createChronicleProducer(chronicleProducer: { id: "people", name: "People", active: true }) { id }
    b: createDevice(device: { id: "camera", name: "Camera", enabled: true, dataSourceId: "gate" }) { id }
    c: createVideo(video: {
      dataSourceId: "gate", startTime: "${at("00:00")}", endTime: "${at("10:00")}", path: "gate/noon.mp4", displayName: "Noon"
    }) { id }
    d: createVideo(video: { dataSourceId: "gate", startTime: "${at("10:00")}", path: "gate/gone.mp4" }) { id }
    e: uploadImage(image: { dataSourceId: "gate", timestamp: "${at("20:00")}", data: "${png().toString("base64")}" }) { id }
  }`);
  expect(made.body.errors).toBeUndefined();
  position = { "x-min-position": made.body.extensions.position };
});

afterAll(async () => {
  for (const clean of cleanUps) await clean();
});

const CLIP = `mutation ($input: CreateClipInput!) {
  clip(input: $input) { id dataSource { id } startTime endTime url thumbnailUrl displayName }
}`;
const SNAPSHOT = "query ($input: CreateSnapshotInput!) { snapshot(input: $input) { id dataSourceId timestamp url } }";

const clip = (startTime: string, endTime: string, dataSourceId = "gate") =>
  ask(CLIP, { input: { dataSourceId, startTime: at(startTime), endTime: at(endTime) } }, position);

const snapshot = (by: Ask, time: string, dataSourceId = "gate") =>
  by(SNAPSHOT, { input: { dataSourceId, timestamp: at(time) } }, position);

test("a clip is a part of the video that covers it", async () => {
  const { body } = await clip("01:30.500", "02:00");
  const again = await clip("01:30.500", "02:00");

  expect(body.data.clip).toMatchObject({
    dataSource: { id: "gate" },
    startTime: at("01:30.500"),
    endTime: at("02:00.000"),
    thumbnailUrl: null,
    displayName: "Noon",
  });
  expect(again.body.data.clip.id).toBe(body.data.clip.id);
  const url: string = body.data.clip.url;
  expect(url).toMatch(/\/media\/gate\/noon\.mp4\?expires=\d+&signature=[\w-]+#t=90\.5,120$/);
  expect(await (await fetch(url)).text()).toBe("a film");
});

test("a clip is added to activities, and an activity has only clips that a video covers", async () => {
  const ofGate = { dataSourceId: "gate", startTime: at("02:00"), endTime: at("03:00") };
  const CREATE = `mutation ($activity: CreateActivityChronicleInput!) {
    createActivityChronicle(activityChronicle: $activity) { id dataSourceClips { id url } }
  }`;
  const activity = { name: "theft", chronicleProducerId: "people", startTime: at("00:00"), clips: [ofGate] };
  const uncovered = { ...activity, clips: [ofGate, { ...ofGate, dataSourceId: "door" }] };
  const refused = await ask(CREATE, { activity: uncovered }, position);
  const created = await ask(CREATE, { activity }, position);
  const { id, dataSourceClips } = created.body.data.createActivityChronicle;
  const input = { dataSourceId: "gate", startTime: at("04:00"), endTime: at("05:00") };
  const added = await ask(
    `mutation ($input: CreateClipInput!, $ids: [ID!]) { clip(input: $input, activityChronicleIds: $ids) { id } }`,
    { input, ids: [id] },
    position,
  );
  const unknown = await ask(
    `mutation ($input: CreateClipInput!, $ids: [ID!]) { clip(input: $input, eventIds: $ids) { id } }`,
    { input, ids: [id, "unknown"] },
    position,
  );
  const { body } = await ask(
    "query ($id: ID!) { activityChronicle(id: $id) { dataSourceClips { id dataSource { id } url } } }",
    { id },
    { "x-min-position": added.body.extensions.position },
  );

  expect(refused.body.errors[0].extensions).toMatchObject({
    code: "NOT_FOUND",
    path: ["activityChronicle", "clips", 1],
  });
  expect(unknown.body.errors[0].extensions).toMatchObject({ code: "NOT_FOUND", path: ["eventIds", 1] });
  expect(dataSourceClips).toEqual([{ id: expect.any(String), url: expect.stringMatching(/noon\.mp4\?.*#t=120,180$/) }]);
  expect(body.data.activityChronicle.dataSourceClips).toEqual([
    { id: dataSourceClips[0].id, dataSource: { id: "gate" }, url: expect.stringMatching(/#t=120,180$/) },
    { id: added.body.data.clip.id, dataSource: { id: "gate" }, url: expect.stringMatching(/#t=240,300$/) },
  ]);
});

test("an activity has at most 1,000 clips, and one that it has can be added again", async () => {
  const clips = Array.from({ length: 1_000 }, (_, i) => ({
    ...{ dataSourceId: "gate", startTime: at("06:00"), endTime: at(`07:00.${String(i).padStart(3, "0")}`) },
  }));
  const created = await ask(
    "mutation ($activity: CreateActivityChronicleInput!) { createActivityChronicle(activityChronicle: $activity) { id } }",
    { activity: { id: "full", name: "theft", chronicleProducerId: "people", startTime: at("00:00"), clips } },
    position,
  );
  const add = (input: object) =>
    ask('mutation ($input: CreateClipInput!) { clip(input: $input, eventIds: ["full"]) { id } }', { input }, position);
  const [again, more] = [await add(clips[5] ?? {}), await add({ ...clips[5], endTime: at("08:00") })];

  expect(created.body.errors).toBeUndefined();
  expect(again.body.errors).toBeUndefined();
  expect(more.body.errors[0].extensions).toMatchObject({ code: "BAD_USER_INPUT", path: ["eventIds"] });
});

test("an ongoing video covers what comes", async () => {
  expect((await clip("59:00", "59:01")).body.data.clip.url).toMatch(/gone\.mp4\?.*#t=2940,2941$/);
});

test.each([
  ["before the first video", "00:00", "00:01", "door", "NOT_FOUND"],
  ["over two adjacent videos", "09:00", "11:00", "gate", "NOT_FOUND"],
  ["that ends before it begins", "02:00", "01:00", "gate", "BAD_USER_INPUT"],
])("a clip %s is refused", async (_, from, to, source, code) => {
  const { body } = await clip(from, to, source);

  expect([body.data, body.errors[0].extensions.code]).toEqual([{ clip: null }, code]);
});

test("a snapshot is the frame of the covering video, taken once", async () => {
  const { body } = await snapshot(ask, "01:30.250");
  const image = body.data.snapshot;
  const { body: later } = await ask(
    SNAPSHOT,
    { input: { dataSourceId: "gate", timestamp: at("01:30.250") } },
    {
      "x-min-position": body.extensions.position,
    },
  );
  const { body: url } = await ask(
    `{ imageUrl(deviceId: "camera", timestamp: "${at("01:30.250")}") }`,
    {},
    { "x-min-position": body.extensions.position },
  );

  expect(image).toMatchObject({ dataSourceId: "gate", timestamp: at("01:30.250") });
  expect(later.data.snapshot.id).toBe(image.id);
  expect((await runs()).filter((args) => args.includes("-ss 90.250"))).toHaveLength(1);
  for (const address of [image.url, url.data.imageUrl]) {
    expect(imageFormat(Buffer.from(await (await fetch(address)).arrayBuffer()))).toMatchObject({
      width: 16,
      height: 9,
    });
  }
});

test("a token that may not write gets what is there, and makes nothing", async () => {
  const before = (await runs()).length;
  const none = await snapshot(askReading, "02:30");
  const near = await snapshot(askReading, "20:01");
  const made = await snapshot(ask, "02:30");
  position = { "x-min-position": made.body.extensions.position };
  const stored = await snapshot(askReading, "02:30");
  const url = await askReading(`{ imageUrl(deviceId: "camera", timestamp: "${at("02:30")}") }`, {}, position);

  expect(none.body.errors[0]).toMatchObject({
    message: expect.stringContaining("scope write"),
    extensions: { code: "NOT_FOUND" },
  });
  expect(near.body.data.snapshot.timestamp).toBe(at("20:00.000"));
  expect(stored.body.data.snapshot.id).toBe(made.body.data.snapshot.id);
  expect(url.body.data.imageUrl).toContain("/media/images/");
  expect((await runs()).length - before).toBe(1);
});

test("without ffmpeg, or without the video's file, it is the nearest image", async () => {
  const [without, gone] = await Promise.all([snapshot(askWithout, "20:07"), snapshot(ask, "19:51")]);

  for (const { body } of [without, gone]) expect(body.data.snapshot.timestamp).toBe(at("20:00.000"));
});

test.each([
  ["without ffmpeg and an image nearby", () => snapshot(askWithout, "05:00"), "NOT_FOUND"],
  ["with images only further away", () => snapshot(ask, "20:11"), "NOT_FOUND"],
  ["of an unknown data source", () => snapshot(ask, "01:00", "door"), "NOT_FOUND"],
  ["of an unknown device", () => ask(`{ imageUrl(deviceId: "x", timestamp: "${at("01:00")}") }`), "NOT_FOUND"],
  [
    "before all calendars",
    () => ask(`{ snapshot(input: { dataSourceId: "gate", timestamp: "0001-01-01T00:00:00Z" }) { id } }`),
    "BAD_USER_INPUT",
  ],
])("a snapshot %s is refused", async (_, ask, code) => {
  expect((await ask()).body.errors[0].extensions.code).toBe(code);
});
