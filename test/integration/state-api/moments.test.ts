// Live state at past moments equals what the same requests answered then, while cameras sent.
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import { offsetRanges } from "../../../services/common/kafka/offsets.ts";
import { metricsText } from "../../../services/common/metrics/define.ts";
import type { StateApiConfig } from "../../../services/state-api/shared/config.ts";
import { howMany } from "../../support/random/how-many.ts";
import { until } from "../../support/running/processes.ts";
import { detection } from "../../support/scenes/detection.ts";
import { square, zone } from "../../support/scenes/zone.ts";
import { choose, createRandomEvents, isLikely, noHeader, randomPaths } from "./moments-events.ts";
import { createMomentsScene, type MomentsScene, type RecordedAnswer, shown, TTL_MS } from "./moments-scene.ts";
import { type Answer, askAt as askOf } from "./services.ts";

const COMPARED = howMany({ short: 20, full: 1_000 });
const TIMEOUT_MS = howMany({ short: 120_000, full: 900_000 });
const PER_MOMENT = 10;
const AT_A_TIME = 3;

let scene: MomentsScene;

describe.each([0, 150])("with a reorder time of %i ms", (reorderMs) => {
  beforeAll(async () => {
    scene = await createMomentsScene(reorderMs);
  });
  afterAll(() => scene.stop());

  test("live state at past moments is what was answered then", { timeout: TIMEOUT_MS }, async () => {
    const { send, recordMoment } = scene;
    const events = createRandomEvents();
    await send(...events.drawAll());
    const sendSome = (now = Date.now()) => send(...Array.from({ length: 8 }, () => events.next(now)).flat());
    await sendSome();
    const recorded: RecordedAnswer[] = [];
    while (recorded.length < COMPARED) {
      await sendSome();
      if (isLikely(0.2)) await delay(Math.random() * 2 * TTL_MS);
      recorded.push(...(await recordMoment(Array.from({ length: PER_MOMENT }, () => choose(randomPaths)))));
    }

    const queue = recorded.values();
    await Promise.all(Array.from({ length: AT_A_TIME }, () => compareAll(queue)));

    // Otherwise equal answers would prove little.
    const shownThen = recorded.filter(({ status }) => status === 200);
    expect(shownThen.length).toBeGreaterThan(COMPARED / 3);
    const distinct = new Set(shownThen.map((each) => JSON.stringify(shown(each))));
    expect(distinct.size).toBeGreaterThan(shownThen.length / 4);
  });

  test("a state that the log no longer has comes from the history", async () => {
    await expectFromHistory(reorderMs);
  });

  test("hostile moments are refused, and too many at a time", async () => {
    const { api } = scene;
    const ask = (at: string) => api.ask("GET", `/api/tracks/1?at=${encodeURIComponent(at)}`);
    const refused = ["", "now", "2026-02-30T00:00:00Z", "2026-01-01T00:00:00", "1e12", "9".repeat(10_000)];
    for (const at of [...refused, "9999-12-31T23:59:59.999Z"]) expect([at, (await ask(at)).status]).toEqual([at, 400]);
    for (const at of ["0000-01-01T00:00:00Z", "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00Z"])
      expect([at, (await ask(at)).status]).toEqual([at, 404]);
    const past = new Date(Date.now() - 5_000).toISOString();
    expect((await api.ask("GET", `/api/tracks/1?at=${past}&at=${past}`)).status).toBe(400);
    expect((await api.ask("GET", `/api/zones/${"%F0%9F%9A%A7"}?at=${past}`)).status).toBe(404);
    expect((await api.ask("GET", `/api/tracks/1?at=${past}`, undefined, {})).status).toBe(401);

    const narrow = askOf(await api.start({ STATE_API_PAST_QUERIES: 4 }), api.token);
    const answers = await Promise.all(Array.from({ length: 20 }, () => narrow("GET", `/api/tracks/none?at=${past}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]));
  });
});

test("requests for past moments are measured by what they ask for, and by where the answer came from", async () => {
  const series = /^tracklog_past_query_seconds_count\{asked="(\w+)",source="(\w+)".*\} \d+$/;
  const lines = (await metricsText()).split("\n").map((line) => series.exec(line) ?? []);

  const measured = lines.map(([, asked, source]) => `${asked} ${source}`);
  for (const asked of ["track", "zone"]) {
    expect(measured).toEqual(expect.arrayContaining([`${asked} topic`, `${asked} history`, `${asked} none`]));
  }
  // Too many were asked for at a time.
  expect(measured).toContain("track failed");
});

async function compareAll(queue: Iterable<RecordedAnswer>): Promise<void> {
  for (const { path, at, ...then } of queue) {
    const { status, body } = await scene.askAt(path, at);
    const moment = `${path} at ${new Date(at).toISOString()}`;
    expect({ moment, ...shown({ status, body }) }).toEqual({ moment, ...shown(then) });
    if (status === 200) expect(body.as_of).toEqual({ at: new Date(at).toISOString(), log: "topic" });
  }
}

const square40 = square(40).flat();
const inside = (trackId: string, timestamp: number) =>
  detection({ trackId, timestamp, polygon: { rings: [square(10, 5 + (timestamp % 7), 5).flat()], crs: null } });

async function expectFromHistory(reorderMs: number): Promise<void> {
  const { api, send, recordMoment, askAt } = scene;
  const [dataSourceId, zoneId, trackId] = ["west", "west gate", "w1"];
  const paths = [`/api/tracks/${trackId}`, `/api/zones/${zoneId}`];
  const now = Date.now();
  const polygon = { rings: [square40], crs: null };
  const drawn = zone({ zoneId, dataSourceId, polygon, createdAt: now, updatedAt: now });
  const header = { trackId, dataSourceId, tag: "person", startTime: now - 10, endTime: null, ...noHeader };
  const seen = (timestamp: number): CameraLogEvent => ({
    type: "DetectionsRecorded",
    event: { dataSourceId, detections: [inside(trackId, timestamp)] },
  });
  await send({ type: "ZoneCreated", event: { zone: drawn } }, { type: "TrackCreated", event: header });
  // In the history a zone begins when its version is written, which is later than its event.
  await until(async () => (await api.ask("GET", paths[1] ?? "")).status === 200);
  await send(seen(now), seen(now + 40));
  const hasEnded = async () => (await api.ask("GET", paths[0] ?? "")).body.track_end !== undefined;
  let live: RecordedAnswer[];
  let seenFrom: number;
  do {
    await until(hasEnded);
    // Its newest stretch is the present one.
    seenFrom = Date.now();
    await send(seen(Date.now()));
    await send(seen(Date.now()));
    live = await recordMoment(paths);
    // The state machine ends a track some time after TRACK_TTL. The history does not have that time, only TRACK_TTL, so
    // the moment must be earlier. On a busy machine it may be later, and then the next stretch counts.
  } while (live.some(({ at }) => at >= seenFrom + TTL_MS));
  await until(hasEnded);
  const ended = await recordMoment(paths);
  const stretch = await askLater({ REPLAY_WARM_UP_MS: 0 }, paths[0] ?? "", live[0]?.at ?? 0);

  const { admin, topic } = api.installation;
  const ranges = await offsetRanges(admin, topic("camera-log"));
  const partitions = ranges.map(({ partition, high }) => ({ partition, offset: String(high) }));
  for (const { path, at } of live) expect((await askAt(path, at)).body.as_of.log).toBe("topic");
  await admin.deleteTopicRecords({ topic: topic("camera-log"), partitions });

  expect(shown(stretch)).toEqual(live[0] && shown(live[0]));
  for (const { path, at, ...then } of [...live, ...ended]) {
    const answer = await askAt(path, at);
    expect(shown(answer)).toEqual(shown(then));
    expect(answer.body.as_of.log).toBe("history");
  }
  // With reordering the second stretch was still held then.
  const inZone = reorderMs === 0 ? 1 : 0;
  expect(live.map(({ body }) => body["track_count"] ?? body["detection_count"])).toEqual([2, inZone]);
  expect((await askAt(`/api/tracks/${trackId}`, now - 60_000)).status).toBe(404);
}

/** Asks another instance with these settings. */
async function askLater(settings: Partial<StateApiConfig>, path: string, at: number): Promise<Answer> {
  const ask = askOf(await scene.api.start(settings), scene.api.token);
  return ask("GET", `${path}?at=${new Date(at).toISOString()}`);
}
