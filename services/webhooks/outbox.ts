// Tells the delivery log what has ended. Redis keeps it until the log has it, so an end is told at least once.
import type { Catalog } from "../../projections/catalog/catalog.ts";
import { unsent } from "../../projections/deliveries/ended.ts";
import { bodyOf, type Context } from "../../projections/deliveries/payload.ts";
import { parseQueueId, type QueueId, subscriptionOf } from "../../projections/deliveries/queue-id.ts";
import type { WaitingSignal } from "../../projections/deliveries/waiting.ts";
import type { Subscriptions } from "../../projections/subscriptions/subscriptions.ts";
import type { Codec } from "../../schemas/codec.ts";
import { recordMessage } from "../../schemas/record-message.ts";
import type { DeliveryEnded } from "../../schemas/records/delivery-ended.ts";
import type { Publisher } from "../common/kafka/publisher.ts";
import { type Patience, patiently } from "../common/patiently.ts";
import type { Queue } from "./queue.ts";
import { SOURCE } from "./source.ts";

export interface OutboxDeps {
  readonly publisher: Publisher;
  readonly codec: Codec;
  readonly namespace: string;
  readonly subscriptions: Subscriptions;
  readonly catalog: Catalog;
}

/** As scripts.ts writes it of a signal that was not sent by itself. */
interface Unsent {
  readonly queueId: QueueId;
  readonly status: "merged" | "failed";
  readonly reason: string | null;
  readonly at: number;
  readonly item: WaitingSignal;
}

type Told = { readonly ended: DeliveryEnded } | { readonly unsent: Unsent };

/** The body is last: outbox-part.ts cuts it off when too much is to be told. */
export function toldAsEnded({ body, ...rest }: DeliveryEnded): string {
  return JSON.stringify({ ended: { ...rest, body } } satisfies Told);
}

const PORTION = 200;
const PORTION_BYTES = 4 * 1024 * 1024;

/** Resolves when the log has everything that was in the outbox. Rejects with NotOwner. */
export async function drain(queue: Queue, deps: OutboxDeps, patience: Patience): Promise<void> {
  const { publisher, codec, namespace } = deps;
  while (!patience.signal.aborted) {
    const entries = await patiently("read the outbox", () => queue.outbox(PORTION, PORTION_BYTES), patience);
    const [first] = entries;
    if (first === undefined) return;
    const messages = entries.map((entry) => {
      const event = endedOf(JSON.parse(entry), deps);
      return recordMessage(
        codec,
        namespace,
        { type: "DeliveryEnded", event },
        { source: SOURCE, timeMs: event.endedAt },
      );
    });
    await patiently("tell the delivery log", () => publisher.publish(messages), patience);
    await patiently("empty the outbox", () => queue.told(entries.length, first), patience);
  }
}

function endedOf(told: Told, { subscriptions, catalog }: OutboxDeps): DeliveryEnded {
  if ("ended" in told) return told.ended;
  const { queueId, status, reason, at, item } = told.unsent;
  const subscription = subscriptionOf(subscriptions, queueId);
  // A merged update was sent as a newer one; nobody needs its state again.
  const isKept = status === "failed" && subscription !== undefined;
  const body = isKept ? bodyText(item, { subscription, catalog, now: at }) : "";
  return unsent(parseQueueId(queueId), item, { status, reason, at, body });
}

/** "" of a signal of which no body can be made: it has nothing that could be sent. */
function bodyText(item: WaitingSignal, context: Context): string {
  const body = bodyOf({ id: item.id, createdAt: item.createdAt, signals: [item], isBatch: false, merged: 0 }, context);
  return body.ok ? body.text : "";
}
