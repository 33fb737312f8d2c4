// The delivery of signals on the shared stores, in this process: a test writes subscriptions and signals into the
// topics.
import { randomBytes } from "node:crypto";
import { signingSecretPlace, tokenValuePlace } from "../../../projections/webhooks/subscriptions/places.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import type { DeliveryEnded } from "../../../schemas/records/delivery-ended.ts";
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";
import type { SubscriptionSet, SubscriptionStopped } from "../../../schemas/records/subscription.ts";
import { createTokenStore } from "../../../services/cli/tokens/store.ts";
import { loadConfig } from "../../../services/common/config.ts";
import { run } from "../../../services/common/lifecycle.ts";
import { createRedis, redisDatabase } from "../../../services/common/redis/client.ts";
import { createSealer } from "../../../services/common/sealed.ts";
import { assembleWebhooks } from "../../../services/webhooks/assemble.ts";
import { webhooksEnv } from "../../../services/webhooks/config.ts";
import { provideInstallation } from "../../support/running/installation.ts";
import { signalRaised, subscriptionSet } from "../../support/scenes/signals.ts";

export type Webhooks = Awaited<ReturnType<typeof createWebhooks>>;

/** Pauses as short as tests want them. */
export const QUICK = {
  WEBHOOKS_RETRY_MS: "20",
  WEBHOOKS_LONGEST_RETRY_MS: "200",
  WEBHOOKS_TIMEOUT_MS: "1000",
  ALLOWED_URL_CIDRS: "127.0.0.0/8",
  CAMERA_PARTITIONS: "2",
};

type Settings = Readonly<Record<string, string>>;

export async function createWebhooks(settings: Settings = {}) {
  const key = randomBytes(32).toString("hex");
  const installation = await provideInstallation("wh", { ...QUICK, SECRETS_KEY: key, ...settings });
  const { namespace, variables, log, codec, kafka } = installation;
  const publisher = await installation.openPublisher();
  const config = loadConfig(webhooksEnv, variables);
  const sealer = createSealer(config);
  const redis = createRedis(redisDatabase(config, 1), log);
  await redis.start();
  const stops = new Set<() => Promise<void>>();
  const generations = new Map<string, number>();
  let offset = 0;

  async function write(...records: Parameters<typeof recordMessage>[2][]): Promise<void> {
    const written = { source: "test", timeMs: Date.now() };
    await publisher.publish(records.map((record) => recordMessage(codec, namespace, record, written)));
  }

  const keys = async () => redis.client.keys(`${namespace}:wh:*`);

  return {
    ...installation,
    redis: redis.client,
    tokens: createTokenStore({ kafka, codec, namespace, log, now: Date.now }),
    write,
    keys,
    /** Seals a token for the credentials of a subscription. */
    sealToken: (id: string) => sealer.seal("value", tokenValuePlace(id)),
    /** Makes a secret as the text that the receiver knows. */
    newSecret: () => `whsec_${randomBytes(24).toString("base64")}`,

    async subscribe(id: string, webhookUrl: string, given: Given = {}): Promise<SubscriptionSet> {
      const { secrets = [`whsec_${randomBytes(24).toString("base64")}`], ...rest } = given;
      const event: SubscriptionSet = {
        ...subscriptionSet(id, webhookUrl),
        ...rest,
        secrets: secrets.map((secret) => ({ sealed: sealer.seal(secret, signingSecretPlace(id)), validUntil: null })),
      };
      generations.set(id, event.createdAt);
      await write({ type: "SubscriptionSet", event });
      return event;
    },

    /** For the subscription that got the id last. Each gets a cause of its own, newer than all before. */
    async raise(subscriptionId: string, signals: readonly Partial<SignalRaised>[]): Promise<SignalRaised[]> {
      const events = signals.map((given) => {
        offset += 1;
        const generation = generations.get(subscriptionId);
        return signalRaised(subscriptionId, offset, generation === undefined ? given : { generation, ...given });
      });
      await write(...events.map((event) => ({ type: "SignalRaised", event }) as const));
      return events;
    },

    /** `failed` rejects when it ends by itself. `onWarn`: for each warning in the process's log. */
    start(more: Settings = {}, onWarn?: (fields: object) => void) {
      const stopRequest = Promise.withResolvers<void>();
      const own: typeof log = onWarn === undefined ? log : Object.create(log, { warn: { value: onWarn } });
      const parts = assembleWebhooks({ config: loadConfig(webhooksEnv, { ...variables, ...more }), codec, log: own });
      const failed = run(parts, stopRequest.promise, log);
      failed.catch(() => undefined);
      const stop = async () => {
        stops.delete(stop);
        stopRequest.resolve();
        await failed.catch(() => undefined);
      };
      stops.add(stop);
      return { failed, stop };
    },

    async deliveries(): Promise<DeliveryEnded[]> {
      const read = await installation.read("webhook-deliveries");
      await codec.loadSchemas(read.map(({ message }) => message.value));
      return read.flatMap(({ message }) => {
        const decoded = codec.decode(message.value);
        return decoded.ok && decoded.type === "DeliveryEnded" ? [decoded.event] : [];
      });
    },

    async stopped(): Promise<SubscriptionStopped[]> {
      const read = await installation.read("subscriptions");
      await codec.loadSchemas(read.map(({ message }) => message.value));
      return read.flatMap(({ message }) => {
        const decoded = codec.decode(message.value);
        return decoded.ok && decoded.type === "SubscriptionStopped" ? [decoded.event] : [];
      });
    },

    async remove(): Promise<void> {
      await Promise.all([...stops].map((stop) => stop()));
      const left = await keys();
      if (left.length > 0) await redis.client.unlink(left);
      await redis.stop();
      await installation.remove();
    },
  };
}

type Given = Omit<Partial<SubscriptionSet>, "secrets"> & { readonly secrets?: readonly string[] };
