import { expect, test, vi } from "vitest";
import { created, detection, recorded } from "../../support/scenes/feed-events.ts";
import { createInstallation } from "./installation.ts";
import { connect } from "./raw-client.ts";
import { follow, init, WAIT } from "./subscription.ts";

interface Tracks {
  readonly tracks: { readonly state: string; readonly message: { readonly id: string; readonly metadata: unknown } };
}

const installation = await createInstallation();
const TRACKS = "subscription { tracks { state message { id metadata } } }";
const ACTIVITY = "subscription { detectionActivity { id metadata } }";
/** Large messages, so that the network's own buffers are full soon. */
const METADATA = JSON.stringify("x".repeat(32_000));

async function update(track: string, from: number, count: number): Promise<void> {
  for (let i = from; i < from + count; i++) await installation.record(recorded("cam", detection(track, i)));
}

test("who is behind gets the newest UPDATE of a track, and every START", async () => {
  const api = await installation.startApi();
  const slow = await follow<Tracks>({ ...api, query: TRACKS });
  const quick = await follow<Tracks>({ ...api, query: TRACKS });
  await installation.record(created("busy", { metadata: METADATA }));
  await Promise.all([slow.atLeast(1), quick.atLeast(1)]);

  slow.client.pause();
  await update("busy", 1, 600);
  await installation.record(created("late", { metadata: METADATA }));
  // Not all 602: a subscriber that is behind for a moment gets merged UPDATEs, on a busy machine the quick one too.
  const hasLate = (one: typeof slow) => one.received().some(({ data }) => data.tracks.message.id === "late");
  await vi.waitUntil(() => hasLate(quick), WAIT);
  slow.client.resume();

  await vi.waitUntil(() => hasLate(slow), WAIT);
  const reported = slow.received().map(({ data: { tracks } }) => tracks.state);
  expect(quick.received().length).toBeGreaterThan(reported.length);
  expect(reported.filter((state) => state === "START")).toHaveLength(2);
  expect(reported.length).toBeLessThan(600);
  // The last UPDATE is the newest: resuming after it repeats no message.
  const after = await follow<Tracks>({ ...api, query: TRACKS, cursor: slow.received().at(-1)?.extensions.cursor });
  await installation.record(created("end"));
  expect((await after.atLeast(1)).map(({ data }) => data.tracks.message.id)).toEqual(["end"]);
});

test("who stays behind is closed with a code that says why; others are not affected", async () => {
  const api = await installation.startApi({ API_SUBSCRIPTION_QUEUE_MESSAGES: "50" });
  const slow = await connect(api.url);
  slow.send(init(installation.token));
  slow.send({ id: "1", type: "subscribe", payload: { query: ACTIVITY } });
  await vi.waitUntil(() => slow.messages.length > 0, WAIT);
  const quick = await follow({ ...api, query: ACTIVITY });
  await installation.record(created("flood"));

  slow.pause();
  const count = 600;
  for (let i = 0; i < count; i++)
    await installation.record(recorded("cam", detection("flood", i, { metadata: METADATA })));
  await quick.atLeast(count);
  slow.resume();

  const { code, reason } = await slow.closed;
  expect([code, reason]).toEqual([4430, "Too slow: resume with the last cursor"]);
  const last = slow.messages.at(-1);
  expect(last).toMatchObject({ id: "1", type: "error", payload: [{ extensions: { code: "UNAVAILABLE" } }] });
  const cursor = slow.messages.findLast(({ type }) => type === "next")?.payload.extensions.cursor;
  const resumed = await follow({ ...api, query: ACTIVITY, cursor });
  const before = slow.messages.filter(({ type }) => type === "next").length;
  expect(await resumed.atLeast(count - before)).toHaveLength(count - before);
});
