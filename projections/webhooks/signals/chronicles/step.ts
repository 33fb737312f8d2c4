// The signals that one message of the chronicles topic causes.
import { derivedId } from "../../../../schemas/identity.ts";
import type { SignalCause, SignalRaised } from "../../../../schemas/records/signal-raised.ts";
import type { ChronicleSignal } from "../../../../schemas/records/subscription.ts";
import type { Subscription } from "../../subscriptions/subscriptions.ts";
import { matchesChronicle, newsOf, type SeenChronicle, type ShownChronicle } from "./signal.ts";
import { chronicleText } from "./text.ts";

/** The memory that a process keeps of a chronicle. */
export interface SignalledChronicle {
  readonly seen: SeenChronicle | null;
  /**
   * Set while the signals of a message are written. A process that reads the message again knows by it that some may
   * have been written.
   */
  readonly writing: (SeenChronicle & { readonly offset: number }) | null;
}

export const nothingSeen: SignalledChronicle = { seen: null, writing: null };

export interface ChronicleStep {
  readonly signals: readonly SignalRaised[];
  /** The memory to store before the signals are written, and the one to store afterwards. */
  readonly before: SignalledChronicle;
  readonly after: SignalledChronicle;
}

/** A message of the topic. `isCreation` is true when it creates the chronicle. */
interface Message extends Pick<SignalCause, "partition" | "offset"> {
  readonly isCreation: boolean;
}

/**
 * `json` is the whole object, which is shortened when it is too long.
 * @returns undefined when the chronicle has not changed since its last signals.
 */
export function chronicleStep(
  memory: SignalledChronicle,
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
  const signals = signalsFor(news.signal, isCreation).flatMap(raised);
  const writing = memory.writing?.offset === offset ? memory.writing : { ...seen, offset };
  // When the message is read again, the receiver may already have the state as it was first read. That state is stored
  // as seen, so later differences are signalled with the next message.
  return {
    signals,
    before: { seen: memory.seen, writing },
    after: { seen: { hash: writing.hash, isOpen: writing.isOpen }, writing: null },
  };
}

/**
 * Without a memory of the chronicle, a change has the signal chronicle_created. If the memory was lost, receivers had
 * this signal before and recognise the repetition by its id. So the change is also signalled as chronicle_updated.
 */
const signalsFor = (signal: ChronicleSignal, isCreation: boolean): readonly ChronicleSignal[] =>
  signal === "chronicle_created" && !isCreation ? [signal, "chronicle_updated"] : [signal];

/**
 * The id of a creation does not depend on the cause: a chronicle is created once, so a process that lost its memory
 * repeats the signal under the same id.
 */
const idOf = (
  subscription: readonly [id: string, generation: string],
  signal: ChronicleSignal,
  chronicleId: string,
  ...cause: readonly string[]
): string =>
  signal === "chronicle_created"
    ? derivedId("signal", ...subscription, signal, chronicleId)
    : derivedId("signal", ...subscription, signal, chronicleId, ...cause);
