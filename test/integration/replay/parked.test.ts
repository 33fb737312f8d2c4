// A replay beside a track that has been there for longer than the warm-up.
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectedUpTo } from "../../../projections/history/queries/positions.ts";
import { apply, createPartition, type LiveSettings, noOutputs } from "../../../projections/live/partition.ts";
import type { RecordedEvent } from "../../../projections/live/types.ts";
import { eventBoundsEnv, eventBoundsOf } from "../../../schemas/bounds.ts";
import type { CameraLogEvent, ZoneVersion } from "../../../schemas/events.ts";
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";
import { kafkaEnv, loadConfig, registryEnv } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createLogFetcher } from "../../../services/common/kafka/read/fetch-log.ts";
import { createTopics } from "../../../services/common/kafka/write/provision.ts";
import { createLog } from "../../../services/common/log.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { createHistoryBudget } from "../../../services/recorded/history-budget.ts";
import { makePlan } from "../../../services/recorded/make-plan.ts";
import { openSegment } from "../../../services/recorded/read-segment.ts";
import { useStack } from "../../support/running/stack.ts";
import {
  created,
  drawn,
  INSIDE,
  OUTSIDE,
  recorded,
  seen,
  settings,
  T0,
  zone,
} from "../../unit/projections/live/camera.ts";
import { listenFor, ofZones, subscribed } from "../../unit/projections/webhooks/signals/subscribed.ts";
import { createDatabase, type Database, fillInAnyOrder } from "../history/database.ts";
import { seeded, worldOf } from "../history/world.ts";

const HOUR_MS = 3_600_000;
const PASSES_MS = 2 * HOUR_MS;
const { env, uniqueName } = useStack();
const topic = uniqueName("parked");
const log = createLog("test", "silent");
const kafka = createKafka("test", loadConfig(kafkaEnv, env), log);
const admin = kafka.admin();
const fetcher = createLogFetcher(kafka, 64 * 1_024);
const DRAWN: ZoneVersion = {
  zoneId: "z",
  dataSourceId: "cam",
  zone: zone(),
  movedTo: null,
  refusal: null,
  partition: 0,
  offset: 0,
};
const entries = parkedAndPassing();
let database: Database;
let codec: Awaited<ReturnType<typeof createCodec>>;

/** A car parks in the zone, and two hours later another one passes through. */
function parkedAndPassing(): RecordedEvent[] {
  const made: RecordedEvent[] = [];
  const add = (ms: number, message: CameraLogEvent) => made.push({ offset: made.length, recordedAt: T0 + ms, message });
  const parked = { trackId: "parked" };
  const passing = { trackId: "passing" };
  add(0, drawn());
  add(0, created({ ...parked, tag: "car" }));
  for (let ms = 0; ms <= PASSES_MS + 60_000; ms += 10_000) {
    add(ms, recorded(seen(ms, INSIDE, parked)));
    const since = ms - PASSES_MS;
    if (since === 0) add(ms + 1, created({ ...passing, tag: "car", startTime: T0 + ms }));
    if (since < 0 || since > 30_000) continue;
    add(ms + 500, recorded(seen(ms + 500, since === 10_000 ? INSIDE : OUTSIDE, passing)));
  }
  return made;
}

beforeAll(async () => {
  database = await createDatabase();
  codec = await createCodec(loadConfig(registryEnv, env));
  await Promise.all([admin.connect(), fetcher.start()]);
  // The messages have times of their own, so that two hours of recording take no two hours. The broker would delete
  // messages that are old.
  const configEntries = [
    { name: "message.timestamp.type", value: "CreateTime" },
    { name: "retention.ms", value: "-1" },
  ];
  await createTopics(admin, [{ topic, numPartitions: 1, replicationFactor: 1, configEntries }]);
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  const messages = entries.map(({ recordedAt, message }) => ({
    value: codec.encode(message.type, message.event),
    timestamp: `${recordedAt}`,
  }));
  await producer.send({ topic, messages });
  await producer.disconnect();
  const world = worldOf(
    entries.map((entry) => ({ ...entry, partition: 0 })),
    [],
  );
  await fillInAnyOrder(database, world, seeded(1));
});

afterAll(async () => {
  await admin.deleteTopics({ topics: [topic] });
  await Promise.all([admin.disconnect(), fetcher.stop()]);
});

const triggered = (signals: readonly SignalRaised[]) =>
  signals.filter(({ state, subjectId }) => subjectId === "passing" || JSON.parse(state).trigger_track_id === "passing");

function liveSignals(own: LiveSettings): SignalRaised[] {
  const state = createPartition(0);
  const out = noOutputs();
  for (const entry of entries) apply(state, entry, own, out);
  return triggered(out.lists.signals);
}

async function replayedSignals(own: LiveSettings): Promise<SignalRaised[]> {
  const signal = new AbortController().signal;
  const history = database.client;
  const trackTtlMs = 15_000;
  const common = { history, fetcher, topic, trackTtlMs, forgetAfterMs: HOUR_MS, signal, warmUpMs: HOUR_MS };
  const [segment] = await makePlan(
    { kind: "tracks", trackIds: ["passing"] },
    {
      ...common,
      admin,
      projectedUpTo: () => projectedUpTo(history, topic),
    },
  );
  if (segment === undefined) throw new Error("no segment");
  expect(segment).toMatchObject({ log: "topic", beginAt: T0 + PASSES_MS + 1 - HOUR_MS });
  const zones = { topic, partition: 0, begin: 0, end: 0 };
  const { fold, events } = openSegment(
    segment,
    { before: [DRAWN], changes: zones },
    {
      ...common,
      codec,
      log,
      zones,
      logId: "any",
      highs: [],
      settings: own,
      bounds: eventBoundsOf(eventBoundsEnv.parse({})),
      historyBudget: createHistoryBudget(1_000_000),
      throttle: async () => {},
    },
  );
  const found: SignalRaised[] = [];
  for await (const event of events) for (const { signals } of fold.fold(event)) found.push(...signals);
  return found;
}

/** The parked car's own measures count from the warm-up's beginning on; everything else is compared whole. */
const withoutMeasures = (signals: readonly SignalRaised[]) =>
  signals.map(({ state, ...signal }) => {
    const { active_tracks: tracks, ...rest } = JSON.parse(state);
    const parked = tracks?.parked && { tag: tracks.parked.tag };
    return { ...signal, ...rest, tracks: tracks && { ...tracks, parked } };
  });

test.each([
  ["zones", ofZones({ key: "z", createdAt: 0 })],
  ["zones of some tags", ofZones({ key: "z", filters: { tags: ["car"] }, createdAt: 0 })],
  ["compositions of some tags", ofZones({ key: "z", zoneEmitMode: "composition", filters: { tags: ["car"] } })],
  ["tracks of some tags", subscribed({ key: "t", filters: { tags: ["car"] }, createdAt: 0 })],
])("%s: a car that parked before the warm-up is there for a replay as it was live", async (_what, subscription) => {
  const own = { ...settings, listener: listenFor(subscription) };

  const live = liveSignals(own);

  expect(live.length).toBeGreaterThan(0);
  expect(withoutMeasures(await replayedSignals(own))).toEqual(withoutMeasures(live));
});
