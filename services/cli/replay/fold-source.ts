// One run: folds the messages of a source, and gives the signals to the sinks in the order of the log.
import type { LiveListener } from "../../../projections/live/partition.ts";
import type { RecordedEvent } from "../../../projections/live/types.ts";
import type { Segment } from "../../../projections/replay/session.ts";
import { sessionSubscribers } from "../../../projections/replay/session-subscribers.ts";
import { createSignalListener } from "../../../projections/webhooks/signals/signal-listener.ts";
import type { SignalName } from "../../../schemas/records/signal-raised.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";
import type { PrepareSegments } from "../../recorded/read-segment.ts";
import { shareOf, stepsOf } from "../../recorded/steps.ts";
import type { FoldProgress } from "./progress.ts";
import type { SignalSink } from "./sink.ts";
import type { ReplaySource } from "./source.ts";

export interface FoldSourceOptions {
  readonly subscriptions: readonly SubscriptionSet[];
  readonly sinks: readonly SignalSink[];
  readonly progress: FoldProgress;
  readonly signal: AbortSignal;
  /** Sees all signals, also those that are not asked for. */
  readonly watch?: (listener: LiveListener) => LiveListener;
  /** Called before an event is folded, when all signals of earlier events have been taken. */
  readonly passing?: (segment: Segment, event: RecordedEvent) => Promise<void>;
}

/** Resolves with the numbers of signals when all sinks have finished. Rejects when the signal aborts. */
export async function foldSource(
  { plan, plannedAt, prepare, catalog }: ReplaySource,
  options: FoldSourceOptions,
): Promise<ReadonlyMap<SignalName, number>> {
  const { subscriptions, sinks, progress, signal, watch = (listener) => listener, passing } = options;
  const listener = watch(createSignalListener(sessionSubscribers(subscriptions, catalog)));
  const counts = new Map<SignalName, number>();
  let begun = 0;
  const watched = passingEach(prepare(listener), {
    opened: () => {
      begun += 1;
    },
    passing: async (segment, event) => {
      signal.throwIfAborted();
      await passing?.(segment, event);
      progress.passed(event.offset, shareOf(plan, begun, segment, event.recordedAt));
    },
  });
  for await (const step of stepsOf(plan, { prepare: watched, plannedAt, throttle: async () => undefined })) {
    for (const sink of sinks) await sink.take(step);
    for (const { signal: name } of step.signals) counts.set(name, (counts.get(name) ?? 0) + 1);
    progress.raised(step.signals.length);
    signal.throwIfAborted();
  }
  for (const sink of sinks) await sink.finish();
  return counts;
}

interface Passing {
  opened(): void;
  passing(segment: Segment, event: RecordedEvent): Promise<void>;
}

const passingEach =
  (prepare: PrepareSegments, watcher: Passing): PrepareSegments =>
  async (plan) => {
    const openSegment = await prepare(plan);
    return (segment) => {
      watcher.opened();
      const { fold, events } = openSegment(segment);
      return { fold, events: passingIn(segment, events, watcher) };
    };
  };

async function* passingIn(
  segment: Segment,
  events: AsyncGenerator<RecordedEvent, void>,
  { passing }: Passing,
): AsyncGenerator<RecordedEvent, void> {
  for await (const event of events) {
    await passing(segment, event);
    yield event;
  }
}
