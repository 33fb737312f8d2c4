// 100 healthy receivers, and beside them one that never answers, one that fails and one that hangs up: the time from
// the acknowledgement of a signal until a healthy receiver has it. The baseline is the time of a message through the
// same broker.
import { randomBytes } from "node:crypto";
import { signingSecretPlace } from "../../../projections/webhooks/subscriptions/places.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import { topicName } from "../../../schemas/topics.ts";
import { loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createPublisher } from "../../../services/common/kafka/write/publisher.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { createSealer } from "../../../services/common/sealed.ts";
import { webhooksEnv } from "../../../services/webhooks/config.ts";
import { answering, type Behaviour, startReceiver } from "../../support/clients/receivers.ts";
import { prepareSystem } from "../../support/running/launch-system.ts";
import { startService, until } from "../../support/running/processes.ts";
import { signalRaised, subscriptionSet } from "../../support/scenes/signals.ts";
import { log } from "../camera-log.ts";
import { parameter } from "../config.ts";
import { startBrokerProbe } from "../latency/broker-probe.ts";
import { type Comparison, quantile } from "../measure.ts";
import type { BenchStack } from "../stack.ts";

const HEALTHY = 100;
const EVERY_MS = 50;

const hangUp: Behaviour = (response) => {
  response.destroy();
  return undefined;
};
const bad: readonly Behaviour[] = [() => undefined, answering(500), hangUp];

export async function benchWebhooks(stack: BenchStack): Promise<Comparison[]> {
  const seconds = parameter("BENCH_WEBHOOKS_SECONDS", 30);
  const perSecond = parameter("BENCH_WEBHOOKS_RATE", 500);
  const settings = { ALLOWED_URL_CIDRS: "127.0.0.0/8", WEBHOOKS_MERGE_AFTER_MS: "3600000" };
  const { env, namespace } = await prepareSystem(stack.env, `bench_webhooks_${Date.now()}`, settings);
  const config = loadConfig(webhooksEnv, env);
  const [kafka, codec, sealer] = [createKafka("bench", config, log), await createCodec(config), createSealer(config)];
  const topics = [topicName(namespace, "signals"), topicName(namespace, "subscriptions")];
  const bounds = { lingerMs: 0, maxBatchBytes: 1024 * 1024, maxQueueBytes: 64 * 1024 * 1024, timeoutMs: 30_000 };
  const publisher = createPublisher({ kafka, topics, log, ...bounds });
  await publisher.start();
  const write = (records: readonly Parameters<typeof recordMessage>[2][]) =>
    publisher.publish(
      records.map((each) => recordMessage(codec, namespace, each, { source: "bench", timeMs: Date.now() })),
    );

  const behaviours = [...Array.from({ length: HEALTHY }, () => answering(200)), ...bad];
  const receivers = await Promise.all(behaviours.map((behaviour) => startReceiver(behaviour)));
  const idOf = (receiver: number) => `r${receiver}`;
  await write(
    receivers.map(({ url }, i) => {
      const sealed = sealer.seal(randomBytes(24).toString("base64"), signingSecretPlace(idOf(i)));
      const secrets = [{ sealed, validUntil: null }];
      return { type: "SubscriptionSet", event: { ...subscriptionSet(idOf(i), url), secrets } };
    }),
  );
  const service = await startService("webhooks", env);
  const probe = await startBrokerProbe(env, `${namespace}.probe`);
  const acknowledged = new Map<string, number>();
  const received = () => receivers.slice(0, HEALTHY).flatMap((receiver) => receiver.received);
  let offset = 0;

  async function raise(atOnce: number): Promise<void> {
    const events = Array.from({ length: atOnce }, () => {
      offset += 1;
      return signalRaised(idOf(offset % receivers.length), offset, {
        signal: "track_updated",
        subjectId: `t${offset}`,
      });
    });
    await write(events.map((event) => ({ type: "SignalRaised", event })));
    for (const { id, subscriptionId } of events)
      if (Number(subscriptionId.slice(1)) < HEALTHY) acknowledged.set(id, Date.now());
  }

  try {
    const endsAt = performance.now() + seconds * 1_000;
    while (performance.now() < endsAt) {
      const nextAt = performance.now() + EVERY_MS;
      await raise(Math.round((perSecond * EVERY_MS) / 1_000));
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, nextAt - performance.now())));
    }
    await until(() => received().length >= acknowledged.size);
    const delays = received().map(({ id, at }) => Math.max(0, at - (acknowledged.get(id) ?? at)));
    const broker = await probe.stop();
    return [0.5, 0.99].map((q) => {
      const [ours, baseline] = [quantile(delays, q), quantile(broker, q)];
      const goal = q === 0.99 ? "p99 <= baseline + 100" : "";
      return { name: `webhooks p${q * 100}`, unit: "ms", ours, baseline, ratio: ours / baseline, goal };
    });
  } finally {
    await service.stop();
    await publisher.stop();
    await Promise.all(receivers.map(({ close }) => close()));
  }
}
