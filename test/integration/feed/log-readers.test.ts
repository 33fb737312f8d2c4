import { expect, onTestFinished, test, vi } from "vitest";
import { created, detection, recorded } from "../../support/scenes/feed-events.ts";
import { createInstallation } from "./installation.ts";
import { connect } from "./raw-client.ts";
import { type Asked, follow, init, WAIT } from "./subscription.ts";

interface Activity {
  readonly detectionActivity: { readonly id: string };
}

const installation = await createInstallation();
const ACTIVITY = "subscription { detectionActivity { id metadata } }";
/** Large messages, so that the network's own buffers are full soon. */
const METADATA = JSON.stringify("x".repeat(32_000));
const COUNT = 900;
const SLOTS = 2;

/** Resumes, and reads nothing from its socket. */
async function resumeWithoutReading({ url, token, query, cursor }: Asked) {
  const client = await connect(url);
  onTestFinished(() => client.drop());
  client.send(init(token));
  await vi.waitUntil(() => client.messages.length > 0, WAIT);
  client.send({ id: "1", type: "subscribe", payload: { query, extensions: { cursor } } });
  client.pause();
  return client;
}

test("clients that resume from the log and do not read keep nobody else from it, and go on when they read", async () => {
  const api = await installation.startApi({
    API_FEED_KEPT_MESSAGES: "1",
    API_FEED_LOG_READERS: String(SLOTS),
    API_SUBSCRIPTION_KEEP_ALIVE_MS: "600000",
  });
  const start = await follow<Activity>({ ...api, query: ACTIVITY });
  await installation.record(created("t", { detections: [detection("t", 0)] }));
  const cursor = (await start.atLeast(1))[0]?.extensions.cursor;
  start.client.drop();
  const tail = await follow<Activity>({ ...api, query: "subscription { detectionActivity { id } }" });
  const events = Array.from({ length: COUNT }, (_, i) =>
    recorded("cam", detection("t", i + 1, { metadata: METADATA })),
  );
  for (let i = 0; i < COUNT; i += 50) await installation.record(...events.slice(i, i + 50));
  await tail.atLeast(COUNT);

  const asked = { ...api, query: ACTIVITY, cursor };
  const lazy = await Promise.all(Array.from({ length: SLOTS }, () => resumeWithoutReading(asked)));
  const eager = await follow<Activity>(asked);
  const ids = (await eager.atLeast(COUNT)).map(({ data }) => data.detectionActivity.id);

  expect(new Set(ids).size).toBe(COUNT);
  for (const client of lazy) {
    client.resume();
    const next = () => client.messages.filter(({ type }) => type === "next");
    await vi.waitUntil(() => next().length >= COUNT, WAIT);
    expect(next().map(({ payload }) => payload.data.detectionActivity.id)).toEqual(ids);
  }
});
