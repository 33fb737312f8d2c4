// Tokens in the catalog topic, read and written without the API.
import type { Kafka } from "kafkajs";
import { v7 } from "uuid";
import { createCatalogView } from "../../../projections/catalog/catalog-view.ts";
import { createZonesView } from "../../../projections/catalog/zones-view.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { notFound } from "../../../schemas/errors.ts";
import type { Scope, TokenEntry } from "../../../schemas/events.ts";
import { groupName, topicName } from "../../../schemas/topics.ts";
import { createPublisher } from "../../common/kafka/publisher.ts";
import type { Log } from "../../common/log.ts";
import { createTokenValue } from "../http/auth.ts";
import { followViews } from "../read/follow-views.ts";
import { createLogClock } from "../write/log-clock.ts";
import { createEventWriter } from "../write/publish.ts";

export interface TokenStore {
  /** Resolves with the value, which is stored nowhere, when the log has the token. */
  create(name: string, scopes: readonly Scope[]): Promise<{ readonly id: string; readonly value: string }>;
  /** Oldest first, revoked ones included. */
  list(): Promise<readonly TokenEntry[]>;
  /** Rejects with NOT_FOUND. Revoking twice is harmless. */
  revoke(id: string): Promise<void>;
}

export interface TokenStoreOptions {
  readonly kafka: Kafka;
  readonly codec: Codec;
  readonly namespace: string;
  readonly log: Log;
  readonly now: () => number;
}

const PUBLISH_TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

export function createTokenStore(options: TokenStoreOptions): TokenStore {
  const { now } = options;

  async function list(): Promise<readonly TokenEntry[]> {
    const tokens = await readTokens(options);
    return [...tokens].sort((a, b) => a.createdAt - b.createdAt);
  }

  return {
    list,

    async create(name, scopes) {
      const { value, valueSha256 } = createTokenValue();
      const tokenId = v7();
      await write(options, { tokenId, name, valueSha256, scopes, createdAt: now(), revokedAt: null });
      return { id: tokenId, value };
    },

    async revoke(id) {
      const token = (await list()).find(({ tokenId }) => tokenId === id);
      if (token === undefined) throw notFound("token", id);
      if (token.revokedAt === null) await write(options, { ...token, revokedAt: now() });
    },
  };
}

async function readTokens({ kafka, codec, namespace, log }: TokenStoreOptions): Promise<Iterable<TokenEntry>> {
  const catalog = createCatalogView();
  const zones = createZonesView();
  const follower = followViews({
    kafka,
    codec,
    namespace,
    groupPrefix: groupName(namespace, "api"),
    catalog,
    zones,
    log,
  });
  try {
    await follower.start();
    await Promise.race([follower.caughtUp, follower.failed]);
  } finally {
    await follower.stop();
  }
  return catalog.tokens();
}

async function write({ kafka, codec, namespace, log, now }: TokenStoreOptions, event: TokenEntry): Promise<void> {
  const publisher = createPublisher({
    kafka,
    topics: [topicName(namespace, "catalog")],
    log,
    lingerMs: 0,
    maxBatchBytes: MAX_BYTES,
    maxQueueBytes: MAX_BYTES,
    timeoutMs: PUBLISH_TIMEOUT_MS,
  });
  await publisher.start();
  try {
    const writer = createEventWriter({
      publisher,
      codec,
      namespace,
      maxMessageBytes: MAX_BYTES,
      lingerMs: 0,
      maxFutureMs: Number.POSITIVE_INFINITY,
      clock: createLogClock(),
      now,
    });
    await writer.catalog(event.tokenId, { type: "TokenEntry", event });
  } finally {
    await publisher.stop();
  }
}
