// An API whose clock is wrong: it judges timestamps by the clock of the log, so no reader refuses what it accepted.
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../services/embedded/tools/free-port.ts";
import { follow } from "../integration/feed/subscription.ts";
import { createGraphQLClient } from "../support/clients/graphql-client.ts";
import { type System, shareSystem } from "../support/running/system.ts";

const HOUR_MS = 3_600_000;

const sharedSystem = shareSystem();

test.each([
  ["ahead", HOUR_MS],
  ["behind", -HOUR_MS],
])("an API that is an hour %s takes what the log takes, and refuses the rest alone", async (word, aheadMs) => {
  const system = sharedSystem();
  const now = Date.now();
  const trackId = `refused-${word}`;
  await createTrack(system, now - 1_000, trackId);
  // Long enough for mutations to share an event.
  const wrong = await startApiWithClock(system, aheadMs, { API_LINGER_MS: "300" });
  const detect = async (ms: number) => {
    const { errors, extensions } = await wrong.send(
      "mutation ($detection: CreateDetectionInput!) { createDetection(detection: $detection) { id } }",
      { detection: { trackId, timestamp: iso(ms) } },
    );
    return { code: errors?.[0]?.extensions.code, position: extensions?.position ?? "" };
  };

  // The first ones: the API does not know the log's clock yet, and they share an event.
  const [present, future] = await Promise.all([detect(now), detect(now + HOUR_MS / 2)]);
  // Then it knows the clock, and refuses the bad one alone.
  const again = [(await detect(now + 1_000)).code, (await detect(now + HOUR_MS / 2)).code];

  expect([present.code, future.code]).toEqual([undefined, "BAD_USER_INPUT"]);
  expect(again).toEqual([undefined, "BAD_USER_INPUT"]);
  expect(await timestampsOf(system, trackId, present.position)).toContain(iso(now));
  expect(await timestampsOf(system, trackId, present.position)).not.toContain(iso(now + HOUR_MS / 2));
});

test.each([
  ["ahead", HOUR_MS],
  ["behind", -HOUR_MS],
])(
  "an API that is an hour %s and has written nothing tells a subscriber what comes, and nothing from before",
  async (word, aheadMs) => {
    const system = sharedSystem();
    const now = Date.now();
    await createTrack(system, now - 2_000, `before-${word}`);
    const { url } = await startApiWithClock(system, aheadMs);

    const { atLeast, received } = await follow<{ tracks: { message: { id: string } } }>({
      ...{ url, token: system.token },
      query: "subscription { tracks { message { id } } }",
    });
    // The subscription begins at some moment after the server has accepted it.
    for (let i = 0; received().length === 0; i++) await createTrack(system, now - 1_000, `after-${word}-${i}`);

    const [first] = await atLeast(1);
    expect(first?.data.tracks.message.id).toMatch(new RegExp(`^after-${word}-`));
  },
);

const iso = (ms: number): string => new Date(ms).toISOString();

async function createTrack({ client }: System, startMs: number, id: string): Promise<void> {
  const { createDataSource } = await client.ask<{ createDataSource: { id: string } }>(
    `mutation { createDataSource(dataSource: { name: "gate", type: VIDEO_DEVICE }) { id } }`,
  );
  const track = { id, dataSourceId: createDataSource.id, tag: "person", startTime: iso(startMs), detections: [] };
  await client.ask("mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }", { track });
}

/** One more instance, for one test, whose Date is wrong by so much from its first line on. */
async function startApiWithClock(system: System, aheadMs: number, settings: Readonly<Record<string, string>> = {}) {
  const port = await freePort();
  const shift = `const now = Date.now; Date.now = () => now() + ${aheadMs};`;
  const preload = `data:text/javascript,${encodeURIComponent(shift)}`;
  const api = await system.start("api", { ...settings, API_PORT: String(port), NODE_OPTIONS: `--import=${preload}` });
  onTestFinished(() => api.stop().then(() => undefined));
  const url = `http://127.0.0.1:${port}/graphql`;
  return { url, send: createGraphQLClient(url, system.token).send };
}

async function timestampsOf({ client }: System, trackId: string, position: string): Promise<string[]> {
  const { track } = await client.ask<{ track: { detections: { timestamp: string }[] } }>(
    "query ($trackId: ID!) { track(id: $trackId) { detections { timestamp } } }",
    { trackId },
    { "x-min-position": position },
  );
  return track.detections.map(({ timestamp }) => timestamp);
}
