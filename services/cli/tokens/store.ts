// Tokens in the catalog topic, read and written without the API.
import type { Kafka } from "kafkajs";
import { v7 } from "uuid";
import { createCatalog } from "../../../projections/catalog/catalog.ts";
import type { Token } from "../../../projections/catalog/token.ts";
import type { SetFields } from "../../../schemas/catalog/changed.ts";
import type { TokenFields } from "../../../schemas/catalog/token.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { notFound } from "../../../schemas/errors.ts";
import type { CatalogEvent, Scope } from "../../../schemas/events.ts";
import { readMessage } from "../../../schemas/read-message.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import { groupName, topicName } from "../../../schemas/topics.ts";
import { MIB } from "../../../schemas/units.ts";
import { readEach } from "../../common/kafka/read/read-some.ts";
import { createPublisher } from "../../common/kafka/write/publisher.ts";
import type { Log } from "../../common/log.ts";
import { createTokenValue } from "./token-value.ts";

export interface TokenStore {
  /** Resolves with the value, which is stored nowhere, when the log has the token. */
  create(name: string, scopes: readonly Scope[]): Promise<{ readonly id: string; readonly value: string }>;
  /** Lists tokens, oldest first, including revoked ones. */
  list(): Promise<readonly Token[]>;
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
const MAX_BYTES = MIB;
const NO_CHANGES: SetFields<TokenFields> = {
  name: null,
  valueSha256: null,
  scopes: null,
  revokedAt: null,
};

export function createTokenStore(options: TokenStoreOptions): TokenStore {
  const { now } = options;

  async function list(): Promise<readonly Token[]> {
    const tokens = await readTokens(options);
    return [...tokens].sort((a, b) => a.createdAt - b.createdAt);
  }

  return {
    list,
    async create(name, scopes) {
      const { value, valueSha256 } = createTokenValue();
      const id = v7();
      const set = { name, valueSha256, scopes, revokedAt: null };
      await write(options, { type: "TokenChanged", event: { id, change: "created", at: now(), set, cleared: [] } });
      return { id, value };
    },
    async revoke(id) {
      const token = (await list()).find((each) => each.id === id);
      if (token === undefined) throw notFound("token", id);
      if (token.revokedAt !== null) return;
      const at = now();
      const set = { ...NO_CHANGES, revokedAt: at };
      await write(options, { type: "TokenChanged", event: { id, change: "updated", at, set, cleared: [] } });
    },
  };
}

async function readTokens({ kafka, codec, namespace, log }: TokenStoreOptions): Promise<Iterable<Token>> {
  const catalog = createCatalog();
  const groupPrefix = groupName(namespace, "tokens");
  for await (const { message } of readEach({ kafka, log, groupPrefix, topic: topicName(namespace, "catalog") })) {
    await codec.loadSchemas([message.value]);
    const read = readMessage(codec, "catalog", message.value);
    if (read.ok) catalog.apply(read, Number(message.offset));
  }
  return catalog.all("token");
}

async function write({ kafka, codec, namespace, log }: TokenStoreOptions, event: CatalogEvent): Promise<void> {
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
    await publisher.publish([
      recordMessage(codec, namespace, event, { source: "tracklog/tokens", timeMs: event.event.at }),
    ]);
  } finally {
    await publisher.stop();
  }
}
