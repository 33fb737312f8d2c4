// Writes the ends of deliveries to the delivery log. Redis keeps each end until the log has it, so it is written at
// least once.
import type { Catalog } from "../../../projections/catalog/catalog.ts";
import { unsent } from "../../../projections/webhooks/deliveries/ended.ts";
import { bodyOf, type Context } from "../../../projections/webhooks/deliveries/payload.ts";
import { parseQueueId, type QueueId, subscriptionOf } from "../../../projections/webhooks/deliveries/queue-id.ts";
import type { WaitingSignal } from "../../../projections/webhooks/deliveries/waiting.ts";
import type { Subscriptions } from "../../../projections/webhooks/subscriptions/subscriptions.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import type { DeliveryEnded } from "../../../schemas/records/delivery-ended.ts";
import { MIB } from "../../../schemas/units.ts";
import type { Publisher } from "../../common/kafka/write/publisher.ts";
import { type Patience, patiently } from "../../common/patiently.ts";
import type { Queue } from "./queue.ts";
import { SOURCE } from "./source.ts";

export interface OutboxDeps {
  readonly publisher: Publisher;
  readonly codec: Codec;
  readonly namespace: string;
  readonly subscriptions: Subscriptions;
  readonly catalog: Catalog;
}

/** Record that push-unsent.lua writes for a signal that was merged into a newer one, refused or dropped. */
interface Unsent {
  readonly queueId: QueueId;
  readonly status: "merged" | "failed";
  readonly reason: string | null;
  readonly at: number;
  readonly item: WaitingSignal;
}

type OutboxEntry = { readonly ended: DeliveryEnded } | { readonly unsent: Unsent };

/** The body must be last: push.lua cuts it off when the outbox is too full. */
export function reportedAsEnded({ body, ...rest }: DeliveryEnded): string {
  return JSON.stringify({ ended: { ...rest, body } } satisfies OutboxEntry);
}

const PORTION = 200;
const PORTION_BYTES = 4 * MIB;

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
    await patiently("report to the delivery log", () => publisher.publish(messages), patience);
    await patiently("empty the outbox", () => queue.trimOutbox(entries.length, first), patience);
  }
}

function endedOf(entry: OutboxEntry, { subscriptions, catalog }: OutboxDeps): DeliveryEnded {
  if ("ended" in entry) return entry.ended;
  const { queueId, status, reason, at, item } = entry.unsent;
  const subscription = subscriptionOf(subscriptions, queueId);
  // A merged update was replaced by a newer one, so nobody needs its state again.
  const isKept = status === "failed" && subscription !== undefined;
  const body = isKept ? bodyText(item, { subscription, catalog, now: at }) : "";
  return unsent(parseQueueId(queueId), item, { status, reason, at, body });
}

/** @returns "" when no body can be built for the signal: there is nothing that could be sent. */
function bodyText(item: WaitingSignal, context: Context): string {
  const body = bodyOf({ id: item.id, createdAt: item.createdAt, signals: [item], isBatch: false, merged: 0 }, context);
  return body.ok ? body.text : "";
}
