// Raises the signals of a few changes of chronicles.
import { unsent } from "../../../projections/webhooks/deliveries/ended.ts";
import { waitingSignal } from "../../../projections/webhooks/deliveries/waiting.ts";
import {
  chronicleStep,
  nothingSeen,
  type SignalledChronicle,
} from "../../../projections/webhooks/signals/chronicles/step.ts";
import { tokenValuePlace } from "../../../projections/webhooks/subscriptions/places.ts";
import type { Subscription, Subscriptions } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";
import { chronicleMemoryKey } from "../../../schemas/redis-keys.ts";
import type { Publisher } from "../../common/kafka/write/publisher.ts";
import { isTooLarge } from "../../common/kafka/write/too-large.ts";
import type { Log } from "../../common/log.ts";
import type { RedisClient } from "../../common/redis/client.ts";
import { getAll } from "../../common/redis/cluster.ts";
import { SealError, type Sealer } from "../../common/sealed.ts";
import { tracing } from "../../common/tracing/tracing.ts";
import { SOURCE } from "../queue/source.ts";
import type { AskChronicles, Credentials } from "./ask-chronicles.ts";

export interface RaiseChroniclesDeps {
  readonly ask: AskChronicles;
  readonly namespace: string;
  readonly codec: Codec;
  readonly subscriptions: Subscriptions;
  readonly isRevoked: (subscription: Subscription) => boolean;
  readonly sealer: Sealer;
  readonly redis: RedisClient;
  readonly publisher: Publisher;
  /** Seconds for which an unchanged chronicle is remembered. */
  readonly memorySeconds: number;
  readonly log: Log;
}

export interface RecordedChronicleChange {
  readonly id: string;
  readonly offset: number;
  readonly isCreation: boolean;
  /** Undefined when its trace is not recorded. */
  readonly traceParent?: string | undefined;
}

/** Active subscriptions to activity chronicles. */
export const chronicleListeners = (subscriptions: Subscriptions): readonly Subscription[] =>
  subscriptions.active().filter(({ signalType }) => signalType === "activity_chronicle");

/** Resolves when the log has the signals of these changes of a partition. */
export type RaiseChronicles = (changes: readonly RecordedChronicleChange[], partition: number) => Promise<void>;

export function createRaiseChronicles(deps: RaiseChroniclesDeps): RaiseChronicles {
  const { ask, subscriptions, isRevoked, sealer, redis, namespace, memorySeconds } = deps;
  const publish = createPublish(deps);
  const keyOf = (id: string) => chronicleMemoryKey(namespace, id);

  return async (changes, partition) => {
    const listeners = chronicleListeners(subscriptions).filter((each) => !isRevoked(each));
    const last = changes.at(-1);
    if (listeners.length === 0 || last === undefined) return;
    const position = { topic: "chronicles", partition, offset: last.offset } as const;
    const ids = [...new Set(changes.map(({ id }) => id))];
    const shown = await ask(ids, position, credentialsOf(listeners, sealer));
    const texts = await getAll(redis, ids.map(keyOf));
    const memories = new Map(ids.map((id, i) => [id, parseMemory(texts[i])]));
    for (const { id, traceParent, ...message } of changes) {
      const chronicle = shown.get(id);
      if (chronicle === undefined) continue;
      const memory = memories.get(id) ?? nothingSeen;
      const step = chronicleStep(memory, chronicle, JSON.stringify(chronicle), { partition, ...message }, listeners);
      if (step === undefined) continue;
      const remember = (next: SignalledChronicle) => redis.set(keyOf(id), JSON.stringify(next), "EX", memorySeconds);
      await remember(step.before);
      if (step.signals.length > 0) await following(traceParent, () => publish(step.signals));
      await remember(step.after);
      memories.set(id, step.after);
    }
  };
}

const following = <T>(cause: string | undefined, work: () => T): T =>
  cause === undefined || tracing === undefined ? work() : tracing.within([cause], work);

/**
 * Returns the credentials of the first listener whose sealed token can be opened: the key of another may be gone.
 * Throws when none can be opened: to read on would silently lose the signals of all listeners.
 */
function credentialsOf(listeners: readonly Subscription[], sealer: Sealer): Credentials {
  let cause: unknown;
  for (const { key, tokenId, tokenValue } of listeners) {
    try {
      return { tokenId, tokenValue: sealer.open(tokenValue, tokenValuePlace(key)) };
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      cause = error;
    }
  }
  const what = `no token of ${listeners.length} subscriptions to chronicles opens`;
  throw new Error(`${what}: SECRETS_KEY and SECRETS_OLD_KEYS must have the keys that state-api has`, { cause });
}

/** Signals are published in portions of this many characters, far below the capacity of the publisher's queue. */
const PUBLISHED_CHARACTERS = 8 * 1024 * 1024;

function createPublish({ publisher, codec, namespace, log }: RaiseChroniclesDeps) {
  let passedOver = 0;

  async function write(signals: readonly SignalRaised[]): Promise<void> {
    const written = { source: SOURCE, timeMs: Date.now() };
    try {
      await publisher.publish(
        signals.map((event) => recordMessage(codec, namespace, { type: "SignalRaised", event }, written)),
      );
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      const [first] = signals;
      if (signals.length === 1 && first !== undefined) return passOver(first);
      // The signals keep their ids, so those that the log already has are recognised as repetitions.
      for (const each of signals) await write([each]);
    }
  }

  /** Records the signal as failed in the delivery log. A retry would block all later chronicles for ever. */
  async function passOver(signal: SignalRaised): Promise<void> {
    passedOver += 1;
    const { subscriptionId: subscription, subjectId: chronicle, state } = signal;
    const seen = { subscription, chronicle, signal: signal.signal, characters: state.length, passedOver };
    log.error(seen, "the log does not take a signal of this size: it is passed over");
    const at = Date.now();
    const ending = { status: "failed", reason: "the log does not take a signal of this size", at, body: "" } as const;
    const event = unsent(signal, waitingSignal(signal, at), ending);
    const written = { source: SOURCE, timeMs: at };
    await publisher.publish([recordMessage(codec, namespace, { type: "DeliveryEnded", event }, written)]);
  }

  return async (signals: readonly SignalRaised[]): Promise<void> => {
    // All signals carry the state of the same chronicle, so the first one's length is typical.
    const atOnce = Math.max(1, Math.floor(PUBLISHED_CHARACTERS / (signals[0]?.state.length ?? 1)));
    for (let first = 0; first < signals.length; first += atOnce) await write(signals.slice(first, first + atOnce));
  };
}

const parseMemory = (text: string | null | undefined): SignalledChronicle =>
  text == null ? nothingSeen : JSON.parse(text);
