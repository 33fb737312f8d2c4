// Subscriptions over graphql-transport-ws and Server-Sent Events, on the server of the API.

import type { Kafka } from "kafkajs";
import type { Catalog } from "../../../projections/catalog/catalog.ts";
import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import { positionsOfTracks } from "../../../projections/history/queries/positions-of-tracks.ts";
import type { EventBounds } from "../../../schemas/bounds.ts";
import type { Codec } from "../../../schemas/codec.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import type { Log } from "../../common/log.ts";
import { createFeed, type Feed } from "../feed/feed.ts";
import type { FindPositions } from "../feed/find-positions.ts";
import { createZonesOfDetection } from "../feed/zones-of-detection.ts";
import type { ApiContext, Principal } from "../graphql/context.ts";
import type { CreateContext } from "../graphql/create-context.ts";
import type { ApiParts } from "../http/api.ts";
import type { TrackRouting } from "../write/track-routing.ts";
import type { SubscriptionsConfig } from "./config.ts";
import { serveEventStreams } from "./event-stream.ts";
import { createOperations } from "./operations.ts";
import { createRootValues } from "./root-value.ts";
import { createClients } from "./transport.ts";
import { serveWebSockets } from "./ws-server.ts";

export interface SubscriptionDeps {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly namespace: string;
  readonly groupPrefix: string;
  readonly catalog: Catalog;
  readonly zones: ZonesView;
  readonly routing: TrackRouting;
  readonly log: Log;
  readonly bounds: EventBounds;
  readonly config: SubscriptionsConfig;
}

/** Call it before the server listens; what it opens is closed with the server. */
export function mountSubscriptions(api: ApiParts, deps: SubscriptionDeps): void {
  const { config, routing, log } = deps;
  const zonesOf = createZonesOfDetection(deps.zones);
  const findPositions = createFindPositions(api.createContext);
  const feed = createFeed({ ...deps, ...feedSettings(config), zonesOf, findTracks: routing.find, findPositions });
  const track = (id: string) => feed.track(id) ?? routing.known(id);
  const operations = createOperations({
    schema: api.schema,
    admission: api.admission,
    createContext: api.createContext,
    sharedContext: createSharedContext(api.createContext, feed, routing),
    rootValue: createRootValues({ track, zonesOf }),
    log,
  });
  const transport = { feed, operations, authenticate: api.authenticate, config, log };
  const clients = createClients(transport);
  deps.catalog.onChange("token", clients.checkTokens);
  serveWebSockets(api.app.server, clients, transport);
  api.serveEventStream(serveEventStreams(clients, transport));
  // Before the server waits for its connections to end by themselves.
  api.app.addHook("preClose", async () => {
    await clients.shutDown();
    await feed.stop();
  });
}

function feedSettings(config: SubscriptionsConfig) {
  return {
    queue: {
      maxMessages: config.API_SUBSCRIPTION_QUEUE_MESSAGES,
      maxBytes: config.API_SUBSCRIPTION_QUEUE_BYTES,
    },
    kept: { maxMessages: config.API_FEED_KEPT_MESSAGES, maxBytes: config.API_FEED_KEPT_BYTES },
    lookbackMessages: config.API_FEED_LOOKBACK_MESSAGES,
    maxTracks: config.API_FEED_TRACKS,
    maxPositions: config.API_FEED_POSITIONS,
    idleMs: config.API_FEED_IDLE_MS,
    logReaders: config.API_FEED_LOG_READERS,
  };
}

/** Whoever may subscribe may read; payloads do not depend on who it is. */
const reader: Principal = { tokenId: "", name: "subscriptions", scopes: ["read"] };

/** Waits until the history has come as far as the feed asks, like a query that names a position. */
function createFindPositions(createContext: CreateContext): FindPositions {
  return async (asked) => {
    const before = asked.flatMap(({ partition, since }): LogPosition[] =>
      since > 0 ? [{ topic: "camera-log", partition, offset: since - 1 }] : [],
    );
    const context = createContext(reader, before);
    await context.historyReached();
    return positionsOfTracks(context.history.client, asked);
  };
}

/** One for all messages, so that fields of several are asked together. */
function createSharedContext(createContext: CreateContext, feed: Feed, routing: TrackRouting): ApiContext {
  const context = createContext(reader);
  const { loaders } = context;
  return {
    ...context,
    loaders: {
      ...loaders,
      /** The history lags behind the feed by its nature. */
      async track(id) {
        const known = feed.track(id) ?? (await routing.find([id])).get(id);
        return known === undefined ? undefined : { firstDetectionAt: null, lastDetectionAt: null, ...known };
      },
    },
  };
}
