// Webhook subscriptions to the tracks and zones of some data sources. Their receivers must get each signal that folding
// the log at once raises: none more, each subject's in order.
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";
import type { Inspector } from "../../support/clients/final-state-inspector.ts";
import { type Received, type Receiver, startReceiver } from "../../support/clients/receivers.ts";
import { firstUnequal } from "../../support/oracles/compare.ts";
import { expectedSignals, idsOf, raisedSignals } from "../../support/oracles/expected-signals.ts";
import { settled } from "../../support/running/settled.ts";
import { subscriptionBody } from "../../support/scenes/subscription-body.ts";
import type { RestCaller } from "../callers.ts";
import { createGap, type Gap } from "../gap.ts";
import type { Traffic } from "./traffic.ts";

export interface SignalReceivers extends Traffic {
  /** Whether each receiver got something. */
  isListening(): boolean;
  readonly gap: Gap;
}

export interface SignalOptions {
  readonly rest: RestCaller;
  readonly inspector: Inspector;
  readonly token: { readonly id: string; readonly value: string };
  readonly dataSourceIds: readonly string[];
  /** Signals of these do not count: the first ones depend on the moment at which a process reads the subscription. */
  readonly isEarly: (subjectId: string) => boolean;
  readonly ttlMs: number;
}

const kinds = {
  "upgrade-tracks": { mode: "streaming", signal_type: "track_state" },
  "upgrade-zones": { mode: "streaming", signal_type: "zone_state" },
  "upgrade-batches": { mode: "batch", signal_type: "track_state", batch_interval: 10 },
} as const;

type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

export async function receiveSignals(options: SignalOptions): Promise<SignalReceivers> {
  const { rest, inspector, token, dataSourceIds } = options;
  const gap = createGap();
  const receivers = new Map<Kind, Receiver>();
  for (const kind of kindNames) {
    const receiver = await startReceiver((response) => {
      gap.answered();
      response.writeHead(200).end();
      return 200;
    });
    receivers.set(kind, receiver);
    const credentials = { "x-token-id": token.id, "x-token-value": token.value };
    const filters = { datasource_ids: dataSourceIds };
    const body = subscriptionBody(credentials, { webhook_url: receiver.url, filters, ...kinds[kind] });
    const { status, body: answer } = await rest.ask("POST", `/api/subscriptions/${kind}`, body);
    if (status !== 201) throw new Error(`the subscription was answered with ${status} ${JSON.stringify(answer)}`);
  }

  const received = (kind: Kind) => receivers.get(kind)?.received ?? [];
  const raised = async () =>
    raisedSignals(await inspector.read("signals"), inspector.codec).filter(
      ({ subscriptionId }) => subscriptionId in kinds,
    );

  async function compare(): Promise<string[]> {
    const signals = await raised();
    const found = kindNames.flatMap((kind) => {
      const own = signals.filter(({ subscriptionId }) => subscriptionId === kind);
      return kind === "upgrade-batches" ? batchesDiffer(own, received(kind)) : streamDiffers(kind, own, received(kind));
    });
    return [...found, ...(await raisedDiffer(options, signals)), ...(await recordsDiffer(inspector, signals))];
  }

  return {
    name: "webhooks",
    gap,
    isListening: () => kindNames.every((kind) => received(kind).length > 0),
    stop: async () => undefined,
    async differences() {
      await settled(async () => (await compare()).length === 0);
      return compare();
    },
    close: async () => void (await Promise.all([...receivers.values()].map((receiver) => receiver.close()))),
    counts: () => {
      const all = kindNames.flatMap((kind) => received(kind));
      return { deliveries: all.length, repeated: all.length - new Set(all.map(({ id }) => id)).size };
    },
  };
}

function streamDiffers(kind: Kind, signals: readonly SignalRaised[], received: readonly Received[]): string[] {
  const ids = new Set(received.map(({ id }) => id));
  const missing = signals.filter(({ id }) => !ids.has(id));
  const known = new Map(signals.map((signal) => [signal.id, signal]));
  const foreign = [...ids].filter((id) => !known.has(id));
  if (missing.length > 0) return [`${kind}: ${missing.length} of ${signals.length} signals never came`];
  if (foreign.length > 0) return [`${kind}: ${foreign.length} deliveries are no signals of the log`];
  // Map.groupBy and Set keep the order in which the first of each came.
  const subjectOf = (id: string) => known.get(id)?.subjectId ?? "";
  const came = Map.groupBy(ids, subjectOf);
  const wanted = Map.groupBy(new Set(signals.map(({ id }) => id)), subjectOf);
  const difference = firstUnequal(Object.fromEntries(came), Object.fromEntries(wanted));
  return difference === undefined ? [] : [`${kind}: another order: ${difference}`];
}

interface BatchItem {
  readonly track_state: { readonly track_id: string; readonly datasource_id: string };
}

/** A batch has each ended track once; a batch that is sent again has its id. */
function batchesDiffer(signals: readonly SignalRaised[], received: readonly Received[]): string[] {
  const batches = new Map(received.map(({ id, text }) => [id, text]));
  const items = [...batches.values()].flatMap((text): BatchItem[] => JSON.parse(text));
  const came = items.map(({ track_state: state }) => `${state.datasource_id}/${state.track_id}`).sort();
  const wanted = signals.map(({ dataSourceId, subjectId }) => `${dataSourceId}/${subjectId}`).sort();
  const difference = firstUnequal(came, wanted);
  return difference === undefined ? [] : [`batches have ${came.length} tracks for ${wanted.length}: ${difference}`];
}

/** Compares with a fold of the log at once. */
async function raisedDiffer(options: SignalOptions, signals: readonly SignalRaised[]): Promise<string[]> {
  const { inspector, dataSourceIds, isEarly, ttlMs } = options;
  const { codec } = inspector;
  const wanted = new Set(dataSourceIds);
  const messages = (await inspector.read("camera-log")).filter(({ message }) => wanted.has(String(message.key)));
  const subscriptions = (await inspector.read("subscriptions")).flatMap(({ message }) => {
    const decoded = codec.decode(message.value);
    return decoded.ok && decoded.type === "SubscriptionSet" && decoded.event.key in kinds ? [decoded.event] : [];
  });
  const later = (all: readonly SignalRaised[]) => idsOf(all.filter(({ subjectId }) => !isEarly(subjectId)));
  const expected = expectedSignals(messages, subscriptions, codec, { trackTtlMs: ttlMs });
  const difference = firstUnequal(later(signals), later(expected));
  const counts = `${signals.length} raised, ${expected.length} expected`;
  return difference === undefined ? [] : [`the topic of signals and a fold of the log: ${counts}: ${difference}`];
}

/** The delivery log has each signal as delivered. */
async function recordsDiffer({ read, codec }: Inspector, signals: readonly SignalRaised[]): Promise<string[]> {
  const delivered = new Set<string>();
  const others: string[] = [];
  for (const { message } of await read("webhook-deliveries")) {
    const decoded = codec.decode(message.value);
    if (!decoded.ok || decoded.type !== "DeliveryEnded") continue;
    const { status, signalIds, id } = decoded.event;
    if (status === "delivered") for (const signalId of signalIds) delivered.add(signalId);
    else others.push(`${id} ${status}`);
  }
  const missing = signals.filter(({ id }) => !delivered.has(id));
  return [
    ...(missing.length === 0 ? [] : [`the delivery log lacks ${missing.length} of ${signals.length} signals`]),
    ...(others.length === 0 ? [] : [`the delivery log has ${others.length} that were not delivered: ${others[0]}`]),
  ];
}
