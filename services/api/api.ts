// Builds the API from its parts: the execution of operations, then the transports, then the server.
import type { Catalog } from "../../projections/catalog/catalog.ts";
import type { Heartbeats } from "../../projections/catalog/heartbeats.ts";
import { createLocate } from "../../projections/catalog/locate.ts";
import { createAuthenticate, letEverybodyIn } from "../../projections/catalog/tokens.ts";
import type { ZonesView } from "../../projections/catalog/zones-view.ts";
import type { BinaryHistory, TrackRef } from "../../projections/history/queries/records.ts";
import type { ShownTrack } from "../../projections/track/header.ts";
import { MIB } from "../../schemas/units.ts";
import type { Log } from "../common/log.ts";
import { createMedia } from "../common/media/media.ts";
import type { HttpServer } from "../common/process/http-app.ts";
import type { ApiConfig } from "./config.ts";
import type { Feed } from "./feed/feed.ts";
import { queries } from "./fields/queries/index.ts";
import { types } from "./fields/types/index.ts";
import type { ApiContext, Principal } from "./graphql/context.ts";
import { type CreateContext, createContextFactory } from "./graphql/create-context.ts";
import { createExecute } from "./graphql/execute.ts";
import type { DocumentLimits } from "./graphql/limits.ts";
import { createMutationSchema, createSchema, type ResolverMap } from "./graphql/schema.ts";
import { createSelect } from "./graphql/select.ts";
import { createBodyIntake } from "./http/intake.ts";
import { createPost } from "./http/post.ts";
import { createApiServer, type Transports } from "./http/server.ts";
import { type HistorySlots, SUBSCRIPTIONS_CALLER, type TokenLimits } from "./limits/token-limits.ts";
import { createFrames } from "./media/frames.ts";
import type { PositionGate } from "./read/await-position.ts";
import type { ZonesAtMoment } from "./read/past-zones.ts";
import { createTrials, type Trials } from "./read/trials.ts";
import { createEventStream } from "./subscriptions/event-stream.ts";
import { createTextBudget } from "./subscriptions/text-budget.ts";
import { createClients, type TransportDeps } from "./subscriptions/transport.ts";
import { createWebSockets } from "./subscriptions/ws-server.ts";
import type { System } from "./system/system.ts";
import type { EventWriter } from "./write/publish.ts";
import { createNoteTraffic } from "./write/traffic.ts";

export interface ApiOptions {
  readonly config: ApiConfig;
  readonly catalog: Catalog;
  readonly zones: ZonesView;
  readonly zonesAt: ZonesAtMoment;
  readonly heartbeats: Heartbeats;
  readonly history: BinaryHistory;
  readonly tokenLimits: TokenLimits;
  readonly slots: HistorySlots;
  readonly system: System;
  readonly gate: PositionGate;
  readonly writer: EventWriter;
  readonly feed: Feed;
  /** Resolvers of Mutation. */
  readonly resolvers: ResolverMap;
  readonly isReady: () => boolean;
  readonly log: Log;
}

export async function createApi(options: ApiOptions): Promise<HttpServer> {
  const { config, catalog, zones, heartbeats, history, tokenLimits, slots, gate, writer, log } = options;
  const limits = documentLimits(config);
  const media = await createMedia(config, () => server.url(), Date.now);
  const heartbeatMs = config.API_HEARTBEAT_MS;
  const noteTraffic = createNoteTraffic({ catalog, heartbeats, writer, log, heartbeatMs, now: Date.now });
  const frames = createFrames({ ...FRAMES, log });
  const createContext = createContextFactory({
    catalog,
    zones,
    zonesAt: options.zonesAt,
    locate: createLocate(catalog),
    heartbeats,
    noteTraffic,
    history,
    slots,
    trials: trialsOf(config),
    system: options.system,
    gate,
    writer,
    log,
    media: media.store,
    frames,
    maxFirst: config.API_MAX_FIRST,
    filterLimits: filterLimits(config),
    maxBuckets: config.API_MAX_BUCKETS,
    maxCost: config.API_MAX_COST,
    maxAnswerBytes: config.API_MAX_ANSWER_BYTES,
    maxZoneVertices: config.MAX_ZONE_VERTICES,
  });
  const authenticate = config.API_AUTH ? createAuthenticate(catalog) : letEverybodyIn;
  const intake = createBodyIntake(config.API_INTAKE_BYTES, config.API_AUTH);
  const clients = createClients(config);
  catalog.onChange("token", clients.checkTokens);
  const execute = await createExecuteOf(options, createContext, limits);
  const texts = createTextBudget({
    maxBytes: config.API_SUBSCRIPTION_BYTES,
    maxBytesPerToken: config.API_AUTH ? config.API_SUBSCRIPTION_BYTES_PER_TOKEN : config.API_SUBSCRIPTION_BYTES,
    tokenLimits,
  });
  const bodyBudgetOf = intake.operationsOf;
  const deps: TransportDeps = { ...options, execute, createContext, authenticate, clients, bodyBudgetOf, texts };
  const transports = createTransports(deps);
  const server = createApiServer({ ...options, authenticate, execute, intake, transports, media, now: Date.now });
  const stop = async () => {
    frames.stop();
    await server.stop();
  };
  return { ...server, stop };
}

/** Larger pieces take more memory. With smaller ones, the questions for headers cost more. */
const TRIAL_PIECE_DETECTIONS = 500_000;
const TRIAL_LEAST_PIECE = 5_000;

const trialsOf = (config: ApiConfig): Trials =>
  createTrials({
    trackTtlMs: config.TRACK_TTL * 1_000,
    reorderMs: config.REORDER_MS,
    pieceDetections: TRIAL_PIECE_DETECTIONS,
    leastPiece: TRIAL_LEAST_PIECE,
    maxDetections: config.API_TRIAL_DETECTIONS,
    maxCandidates: config.API_TRIAL_CANDIDATES,
    now: Date.now,
  });

/** At most two runs of ffmpeg at a time, because each keeps a core busy. */
const FRAMES = { maxRunning: 2, maxWaiting: 32, timeoutMs: 10_000, maxBytes: 32 * MIB };

const createTransports = (deps: TransportDeps): Transports => ({
  post: createPost(deps),
  eventStream: createEventStream(deps),
  upgrade: createWebSockets(deps),
  async shutDown() {
    await deps.clients.shutDown();
    await deps.feed.stop();
  },
});

function createExecuteOf(
  { config, feed, log, tokenLimits, ...options }: ApiOptions,
  create: CreateContext,
  limits: DocumentLimits,
) {
  const resolvers = { Query: queries, ...types, ...options.resolvers };
  const schema = createSchema(resolvers);
  const select = createSelect({
    schema,
    filterLimits: filterLimits(config),
    sharedContext: createSharedContext(create, feed),
    rootDeps: feed,
    log,
  });
  const mutationSchema = createMutationSchema(schema, resolvers);
  return createExecute({ schema, mutationSchema, limits, select, tokenLimits, log });
}

/**
 * Messages of subscriptions are executed for this principal. Every subscriber may read, and payloads do not depend on
 * the subscriber, so one principal is enough.
 */
const reader: Principal = { tokenId: SUBSCRIPTIONS_CALLER, name: "subscriptions", scopes: ["read"] };

/**
 * Creates the context that all messages of subscriptions share. The loaders can then fetch fields of several messages
 * together.
 */
function createSharedContext(createContext: CreateContext, feed: Feed): ApiContext {
  const context = createContext(reader);
  const asRecord = (known: ShownTrack | undefined) =>
    known && { firstDetectionAt: null, lastDetectionAt: null, ...known };
  // These loaders read tracks from the feed, because the history lags behind it.
  const track = async (ref: TrackRef) => asRecord(await feed.findTrack(ref));
  const trackById = async (id: string) => asRecord(await feed.findTrackById(id));
  return { ...context, loaders: { ...context.loaders, track, trackById } };
}

const documentLimits = (config: ApiConfig): DocumentLimits => ({
  maxBytes: config.API_MAX_DOCUMENT_BYTES,
  maxTokens: config.API_MAX_DOCUMENT_TOKENS,
  maxDepth: config.API_MAX_DEPTH,
  maxAliases: config.API_MAX_ALIASES,
  maxRootFields: config.API_MAX_ROOT_FIELDS,
  maxFields: config.API_MAX_FIELDS,
});

const filterLimits = (config: ApiConfig) => ({
  maxValues: config.API_MAX_FILTER_VALUES,
  maxBranches: config.API_MAX_FILTER_BRANCHES,
});
