// The event state of scopes and workflows.
import { eventStateKeys } from "../../../schemas/redis-keys.ts";
import { topicName } from "../../../schemas/topics.ts";
import { MIB } from "../../../schemas/units.ts";
import { createPublisher } from "../../common/kafka/write/publisher.ts";
import type { Part } from "../../common/lifecycle.ts";
import { redisDatabase } from "../../common/redis/client.ts";
import { createRedisOf } from "../../common/redis/key-connection.ts";
import type { RestArea, Shared } from "../shared/shared.ts";
import { createClosures } from "./closures.ts";
import { createDecisions } from "./decisions.ts";
import { createJournal } from "./journal.ts";
import { createRestore } from "./restore.ts";
import { createRestoredStates, type RestoredStates } from "./restored-states.ts";
import { createEventRoutes } from "./routes.ts";
import { createEventStore } from "./store.ts";
import { createTrackSightings } from "./track-sightings.ts";

/** Number of the database in the shared Redis. */
const DATABASE = 1;

export function eventsArea(shared: Shared): RestArea {
  const { config, codec, kafka, log, namespace, liveRedis } = shared;
  const times = { leaseMs: config.STATE_API_EVENT_LEASE_MS, keepMs: config.STATE_API_EVENT_KEEP_MS };
  const keys = eventStateKeys(namespace);
  const connection = createRedisOf(keys.marker, redisDatabase(config, DATABASE), log, {
    // A command that is sent again may reach a Redis that has lost states.
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
  });
  const redis = connection.client;
  const publisher = createPublisher({
    kafka,
    topics: [topicName(namespace, "event-states")],
    log,
    lingerMs: 0,
    maxBatchBytes: MIB,
    maxQueueBytes: 4 * MIB,
    maxQueueMs: 5_000,
    // kafkajs gives each request up after 10 s. A decision waits for less, but must learn the final position of its
    // message.
    timeoutMs: 120_000,
    retries: 0,
  });
  const journal = createJournal({ kafka, codec, namespace, publisher, log });
  const restore = createRestore({ redis, keys, journal, keepMs: times.keepMs, log });
  const restored = createRestoredStates({ redis, marker: keys.marker, logId: journal.logId, restore });
  const maxEvents = config.STATE_API_MAX_EVENTS;
  // Without tokens all callers count as one.
  const maxEventsPerToken = config.STATE_API_AUTH === "on" ? config.STATE_API_MAX_EVENTS_PER_TOKEN : maxEvents;
  const store = createEventStore({ redis, keys, restored, keepMs: times.keepMs, maxEvents, maxEventsPerToken });
  const stopped = new AbortController();
  const decisions = createDecisions({ store, journal, log, stopped: stopped.signal });
  const sightings = createTrackSightings(liveRedis, namespace, config.CAMERA_PARTITIONS);
  const closures = createClosures({ store, decisions, sightings, times, log });
  return {
    routes: createEventRoutes({ store, decisions, sightings, times }),
    parts: [connection, publisher, restoring(restored, stopped), closures],
  };
}

/** Restores the states at the start, so that no request has to wait for it. */
const restoring = (restored: RestoredStates, stopped: AbortController): Part => ({
  name: "event states",
  start: async () => void (await restored.markerValue()),
  stop: async () => stopped.abort(),
});
