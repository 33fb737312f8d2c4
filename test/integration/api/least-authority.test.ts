// A token with the scope `write` alone, against what others have stored: in the log, in Redis and in the history.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createClient, createInstallation, WAIT } from "./services.ts";

const START = "2026-01-01T00:00:00.000Z";

const installation = await createInstallation();
afterAll(() => installation.stop());

let reader: ReturnType<typeof createClient>;
let writer: ReturnType<typeof createClient>;

beforeAll(async () => {
  const [url] = await Promise.all([installation.startApi(), installation.start("projector")]);
  reader = createClient(url, await installation.createToken("read,write"));
  writer = createClient(url, await installation.createToken("write"));
  const create = 'mutation { createDataSource(dataSource: {id: "gate", name: "Gate", type: VIDEO_DEVICE}) { id } }';
  await vi.waitFor(async () => expect((await reader(create)).body.errors).toBeUndefined(), WAIT);
  const producer = 'mutation { createChronicleProducer(chronicleProducer: {id: "p", name: "P", active: true}) { id } }';
  expect((await reader(producer)).body.errors).toBeUndefined();
});

const own = { id: "a", startTime: START };

test.each([
  [
    "track",
    "mutation ($it: CreateTrackInput!) { it: createTrack(track: $it) { id tag endTime metadata } }",
    { ...own, dataSourceId: "gate", detections: [], tag: "secret", metadata: '{"plate":"B 1"}' },
    { ...own, dataSourceId: "gate", detections: [], tag: "own" },
    { id: "a", tag: "own", endTime: null, metadata: null },
  ],
  [
    "video",
    "mutation ($it: CreateVideoInput!) { it: createVideo(video: $it) { id displayName frameRate } }",
    { ...own, dataSourceId: "gate", path: "secret.mp4", displayName: "secret", frameRate: 25 },
    { ...own, dataSourceId: "gate", path: "own.mp4", displayName: "own" },
    { id: "a", displayName: "own", frameRate: null },
  ],
  [
    "activity",
    "mutation ($it: CreateActivityChronicleInput!) { it: createActivityChronicle(activityChronicle: $it) { id name labels } }",
    { ...own, chronicleProducerId: "p", name: "secret", labels: ["secret"] },
    { ...own, chronicleProducerId: "p", name: "own" },
    { id: "a", name: "own", labels: null },
  ],
])(
  "the repeated creation of the %s shows a token with write alone nothing that was there",
  async (_name, query, there, given, shown) => {
    const { body: first } = await reader(query, { it: there });
    expect(first.errors).toBeUndefined();
    const seen = { "x-min-position": first.extensions.position };

    await vi.waitFor(async () => {
      const { body } = await reader(query, { it: there }, seen);
      expect(body.data.it).toEqual(first.data.it);
    }, WAIT);
    const { body } = await writer(query, { it: given }, seen);

    expect([body.data, body.errors]).toEqual([{ it: shown }, undefined]);
  },
);

test("a token with write alone is shown of an update what it sets, and is refused the rest", async () => {
  const update = (fields: string) =>
    writer(`mutation { updateTrack(track: {id: "b", endTime: "${START}"}) { ${fields} } }`);
  const create = "mutation ($it: CreateTrackInput!) { createTrack(track: $it) { id } }";
  const it = { ...own, id: "b", dataSourceId: "gate", detections: [], tag: "secret" };
  expect((await reader(create, { it })).body.errors).toBeUndefined();

  expect((await update("id endTime finished")).body.data).toEqual({
    updateTrack: { id: "b", endTime: START, finished: true },
  });
  expect((await update("id tag")).body.errors[0].extensions).toEqual({
    code: "FORBIDDEN",
    path: ["updateTrack", "tag"],
  });
});
