// Counts the sealed texts by their keys, in the two places that have some: the subscriptions in the log, and the replay
// sessions in Redis that have not ended.
import type { Kafka } from "kafkajs";
import { createSubscriptions } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { readMessage } from "../../../schemas/read-message.ts";
import { replayKeys } from "../../../schemas/redis-keys.ts";
import { groupName, topicName } from "../../../schemas/topics.ts";
import { readEach } from "../../common/kafka/read/read-some.ts";
import type { Log } from "../../common/log.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import { keyIdOfSealed, type Sealer } from "../../common/sealed.ts";

export interface KeysDeps {
  readonly kafka: Kafka;
  readonly codec: Codec;
  /** The database of the replay sessions. */
  readonly redis: RedisClient;
  readonly sealer: Sealer;
  readonly namespace: string;
  readonly log: Log;
  readonly now: () => number;
  readonly print: (line: string) => void;
}

/** Resolves with true when SECRETS_KEY has sealed all texts, so that no other key is needed. */
export async function printKeys(deps: KeysDeps): Promise<boolean> {
  const texts = [...(await sealedInSubscriptions(deps)), ...(await sealedInReplays(deps))];
  const others = Map.groupBy(
    texts.filter((text) => !deps.sealer.isCurrent(text)),
    keyIdOfSealed,
  );
  const older = [...others.values()].reduce((sum, { length }) => sum + length, 0);
  deps.print(`sealed with SECRETS_KEY: ${texts.length - older}`);
  for (const [id, sealed] of others) {
    const place = sealed.every(deps.sealer.knows) ? "one of SECRETS_OLD_KEYS" : "which is not set here";
    deps.print(`sealed with the key ${id}, ${place}: ${sealed.length}`);
  }
  return older === 0;
}

/** A replaced secret that is no longer valid is dropped with the next change of its subscription. */
async function sealedInSubscriptions({ kafka, codec, namespace, log, now }: KeysDeps): Promise<string[]> {
  const view = createSubscriptions();
  const topic = topicName(namespace, "subscriptions");
  for await (const { message } of readEach({ kafka, groupPrefix: groupName(namespace, "keys"), topic, log })) {
    await codec.loadSchemas([message.value]);
    const read = readMessage(codec, "subscriptions", message.value);
    if (read.ok) view.apply(read, Number(message.offset));
  }
  return [...view.all()].flatMap(({ tokenValue, secrets }) => {
    const valid = secrets.filter(({ validUntil }) => validUntil === null || validUntil > now());
    return [tokenValue, ...valid.map(({ sealed }) => sealed)].filter((text) => text !== "");
  });
}

async function sealedInReplays({ redis, namespace }: KeysDeps): Promise<string[]> {
  const { open, session } = replayKeys(namespace);
  const found: string[] = [];
  for (const id of Object.keys(await redis.hgetall(open))) {
    const spec = await redis.hget(session + id, "spec");
    if (spec === null) continue;
    const { subscription }: { subscription: { secrets: readonly { sealed: string }[] } } = JSON.parse(spec);
    found.push(...subscription.secrets.map(({ sealed }) => sealed));
  }
  return found;
}
