// What one message of the chronicles topic makes known about its chronicle.
import { derivedId } from "../../schemas/identity.ts";
import type { SignalCause, SignalRaised } from "../../schemas/records/signal-raised.ts";
import type { ChronicleSignal } from "../../schemas/records/subscription.ts";
import type { Subscription } from "../subscriptions/subscriptions.ts";
import { matchesChronicle, newsOf, type SeenChronicle, type ShownChronicle } from "./chronicle-signal.ts";
import { chronicleText } from "./chronicle-text.ts";

/** What a process remembers of a chronicle. */
export interface ChronicleMemory {
  readonly seen: SeenChronicle | null;
  /** Set while the signals of a message are written; who reads the message again knows that some may have been. */
  readonly writing: (SeenChronicle & { readonly offset: number }) | null;
}

export const nothingSeen: ChronicleMemory = { seen: null, writing: null };

export interface ChronicleStep {
  readonly signals: readonly SignalRaised[];
  /** To be remembered before the signals are written, and after it. */
  readonly before: ChronicleMemory;
  readonly after: ChronicleMemory;
}

/** A message of the topic. `isCreation`: it creates the chronicle. */
interface Message extends Pick<SignalCause, "partition" | "offset"> {
  readonly isCreation: boolean;
}

/** `json`: the whole object; it is sent shorter if it is too long. undefined = the message made no difference to what was seen. */
export function chronicleStep(
  memory: ChronicleMemory,
  chronicle: ShownChronicle,
  json: string,
  { partition, offset, isCreation }: Message,
  subscriptions: readonly Subscription[],
): ChronicleStep | undefined {
  const news = newsOf(memory.seen ?? undefined, chronicle, json);
  if (news === undefined) return undefined;
  const { seen } = news;
  const state = chronicleText(chronicle, json);
  const raised = (signal: ChronicleSignal, index: number): readonly SignalRaised[] =>
    subscriptions
      .filter(({ triggerOn, filters }) => triggerOn.includes(signal) && matchesChronicle(filters, chronicle))
      .map(({ key, createdAt }) => ({
        id: idOf([key, `${createdAt}`], signal, chronicle.id, `${partition}`, `${offset}`),
        subscriptionId: key,
        generation: createdAt,
        signal,
        subjectId: chronicle.id,
        dataSourceId: null,
        timestamp: Date.parse(chronicle.updatedAt),
        state,
        emitReason: null,
        expiredBy: null,
        cause: { topic: "chronicles", partition, offset, index },
      }));
  const signals = toldAs(news.signal, isCreation).flatMap(raised);
  const writing = memory.writing?.offset === offset ? memory.writing : { ...seen, offset };
  // The receiver may have what this message said when it was first read. What differs now is news of the next message.
  return {
    signals,
    before: { seen: memory.seen, writing },
    after: { seen: { hash: writing.hash, isOpen: writing.isOpen }, writing: null },
  };
}

/**
 * A change of a chronicle of which nothing is remembered: it is new to its subscribers, or what was remembered is lost.
 * Receivers that had its creation know the repetition by its id, so the change is told as well.
 */
const toldAs = (signal: ChronicleSignal, isCreation: boolean): readonly ChronicleSignal[] =>
  signal === "chronicle_created" && !isCreation ? [signal, "chronicle_updated"] : [signal];

/** A chronicle is created once: who has forgotten what was seen says so under the same id. */
const idOf = (
  subscription: readonly [id: string, generation: string],
  signal: ChronicleSignal,
  chronicleId: string,
  ...cause: readonly string[]
): string =>
  signal === "chronicle_created"
    ? derivedId("signal", ...subscription, signal, chronicleId)
    : derivedId("signal", ...subscription, signal, chronicleId, ...cause);
