// API instances over one separate log on the shared broker; tests write events straight into the log.
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { createCatalog } from "../../../projections/catalog/catalog.ts";
import { createDataSourceIds } from "../../../projections/catalog/data-source-ids.ts";
import { createHeartbeats } from "../../../projections/catalog/heartbeats.ts";
import { createZonesView } from "../../../projections/catalog/zones-view.ts";
import type { ChronicleEvent } from "../../../projections/chronicles/evolve.ts";
import { tracksBefore, tracksByIds, tracksOf } from "../../../projections/history/queries/tracks.ts";
import { createGathered } from "../../../projections/history/rows/gather.ts";
import { eventBoundsOf } from "../../../schemas/bounds.ts";
import type { Codec } from "../../../schemas/codec.ts";
import type { CameraLogEvent, Scope, ZoneIntersectionChanged } from "../../../schemas/events.ts";
import type { Topic } from "../../../schemas/topics.ts";
import { createApi } from "../../../services/api/api.ts";
import { apiEnv } from "../../../services/api/config.ts";
import { createFeed } from "../../../services/api/feed/feed.ts";
import { createFindChronicles } from "../../../services/api/feed/find-chronicles.ts";
import { createFindPositions } from "../../../services/api/feed/find-positions.ts";
import { createZonesOfRecord } from "../../../services/api/feed/zones-of-detection.ts";
import type { ResolverMap } from "../../../services/api/graphql/schema.ts";
import { createHistorySlots, createTokenLimits } from "../../../services/api/limits/token-limits.ts";
import type { PositionGate } from "../../../services/api/read/await-position.ts";
import { feedSettings } from "../../../services/api/subscriptions/config.ts";
import { createTrackRouting } from "../../../services/api/write/track-routing.ts";
import { createTokenValue } from "../../../services/cli/tokens/token-value.ts";
import { loadConfig } from "../../../services/common/config.ts";
import { offsetRanges } from "../../../services/common/kafka/offsets.ts";
import type { Acknowledged, OutMessage } from "../../../services/common/kafka/write/publisher.ts";
import { createRedis } from "../../../services/common/redis/client.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { atTheEnd } from "../../support/running/at-the-end.ts";
import { provideInstallation } from "../../support/running/installation.ts";
import { noWriter, tokenCreated, tokenRevoked } from "../../support/scenes/catalog.ts";
import { noSystem } from "../../support/scenes/no-system.ts";

const PARTITIONS = 3;

const open: PositionGate = {
  history: async () => {},
  intersections: async () => {},
  catalog: async () => {},
  zones: async () => {},
};

type Settings = Readonly<Record<string, string>>;

export type Instance = Awaited<ReturnType<Awaited<ReturnType<typeof createInstallation>>["startApi"]>>;

export async function createInstallation() {
  const installation = await provideInstallation("feed", {
    API_HOST: "127.0.0.1",
    API_PORT: "0",
    CAMERA_PARTITIONS: String(PARTITIONS),
  });
  const { namespace, variables, log, kafka, codec, topic } = installation;
  const config = installation.config(apiEnv);
  const clickhouse = await installation.openHistory();
  const publisher = await installation.openPublisher();
  const redis = createRedis(config, log);
  await redis.start();
  atTheEnd(async () => {
    await redis.stop();
    await installation.remove();
  });

  const catalog = createCatalog();
  const zones = createZonesView();
  const { value, valueSha256 } = createTokenValue();
  const token = { id: "reader", value };
  /** Offset of the next event of the catalog. */
  let next = 0;
  catalog.apply(tokenCreated(token.id, { valueSha256 }), next++);

  async function startApi(settings: Settings = {}, resolvers: ResolverMap = {}) {
    const routing = createTrackRouting({
      redis: redis.client,
      namespace,
      history: (ids) => tracksByIds(clickhouse, ids),
      historyOf: (refs) => tracksOf(clickhouse, refs),
      log,
      historyComplete: async () => {},
      maxTracks: 1_000,
      ttlSeconds: 60,
    });
    const ownConfig = loadConfig(apiEnv, { ...variables, ...settings });
    const history = { client: clickhouse, dataSourceIds: createDataSourceIds(catalog) };
    const feed = createFeed({
      ...{ kafka, codec, namespace, catalog, log },
      ...feedSettings(ownConfig),
      groupPrefix: `${namespace}.api`,
      bounds: eventBoundsOf(config),
      zonesOf: createZonesOfRecord(zones),
      geofencesOf: () => [],
      knownTrack: routing.known,
      findTracks: routing.findOf,
      findTracksBefore: (refs) => tracksBefore(clickhouse, refs),
      findTracksById: routing.find,
      findPositions: createFindPositions(open, history),
      findChronicles: createFindChronicles(open, history),
      // This feed has no views beside it.
      isViewed: async () => {},
      recordedNow: Date.now,
    });
    const isReady = () => true;
    const tokenLimits = createTokenLimits(ownConfig, log);
    const api = await createApi({
      config: ownConfig,
      log,
      catalog,
      zones,
      zonesAt: () => Promise.reject(new Error("not asked")),
      heartbeats: createHeartbeats(),
      history,
      tokenLimits,
      slots: createHistorySlots(ownConfig, tokenLimits),
      system: noSystem,
      gate: open,
      writer: noWriter,
      feed,
      resolvers,
      isReady,
    });
    await api.start();
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= api.stop();
      return stopped;
    };
    onTestFinished(stop);
    const connections = promisify(api.app.server.getConnections).bind(api.app.server);
    return { url: `${api.url()}/graphql`, server: api.app.server, token, routing, connections, stop };
  }

  /** A token that can be revoked, as far as this instance's view goes. */
  function createToken(...scopes: Scope[]) {
    const tokenId = randomUUID();
    const { value, valueSha256 } = createTokenValue();
    catalog.apply(tokenCreated(tokenId, { valueSha256, scopes }), next++);
    return { id: tokenId, value, revoke: () => catalog.apply(tokenRevoked(tokenId, 1), next++) };
  }

  const record = (...events: CameraLogEvent[]) =>
    publisher.publish(events.map((each) => toMessage(topic, codec, each)));

  /** Records the events, and has the projector's rows of them in the history. */
  async function recordAndProject(...events: CameraLogEvent[]): Promise<void> {
    const positions = await record(...events);
    const gathered = createGathered();
    for (const [i, event] of events.entries()) {
      const { partition = 0, offset = 0 } = positions[i] ?? {};
      gathered.add(event, { partition, offset, recordedAt: 0 });
    }
    // A stretch that never repeats, like a projector's.
    const first = positions[0]?.offset ?? 0;
    const stretch = { topic: topic("camera-log"), partition: 0, logId: "any", rankBase: 0, first, next: first + 1 };
    await createHistoryStore(clickhouse).insert(gathered.byTable(), [stretch]);
  }

  return {
    namespace,
    kafka,
    token,
    createToken,
    catalog,
    zones,
    topic,
    clickhouse,
    startApi,
    /** Removes all present messages of the topic, as its retention would. */
    async truncate(name: Topic): Promise<void> {
      const admin = kafka.admin();
      await admin.connect();
      const partitions = (await offsetRanges(admin, topic(name))).map(({ partition, high }) => ({
        partition,
        offset: String(high),
      }));
      await admin.deleteTopicRecords({ topic: topic(name), partitions });
      await admin.disconnect();
    },
    publishRaw: (messages: readonly OutMessage[]) => publisher.publish(messages),
    record,
    recordAndProject,
    recordChronicles: (...events: ChronicleEvent[]) =>
      publisher.publish(
        events.map(({ type, event }) => ({
          topic: topic("chronicles"),
          key: event.id,
          value: codec.encode(type, event),
        })),
      ),
    recordIntersections: (...changes: ZoneIntersectionChanged[]): Promise<Acknowledged[]> =>
      publisher.publish(
        changes.map((change) => ({
          topic: topic("zone-intersections"),
          key: change.dataSourceId,
          partition: change.cause.partition,
          value: codec.encode("ZoneIntersectionChanged", change),
        })),
      ),
  };
}

function toMessage(topic: (name: Topic) => string, codec: Codec, { type, event }: CameraLogEvent): OutMessage {
  const key = "zone" in event ? event.zone.dataSourceId : "dataSourceId" in event ? event.dataSourceId : "";
  return { topic: topic("camera-log"), key, value: codec.encode(type, event) };
}
