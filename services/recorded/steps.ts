// The steps of a session: those of all its segments, in the order of recording. The order is the same each time, so a
// resumed session continues after the signals that it has finished.
import { setImmediate } from "node:timers/promises";
import type { RecordedEvent } from "../../projections/live/types.ts";
import type { ReplayStep } from "../../projections/replay/in-steps.ts";
import type { Segment } from "../../projections/replay/session.ts";
import { earliestOf, type ReadingOrder } from "./earliest.ts";
import type { OpenSegment, PrepareSegments } from "./read-segment.ts";

export interface StepsDeps {
  readonly prepare: PrepareSegments;
  /** A time, ms, at or before which the ends of the segments were read from the log. */
  readonly plannedAt: number;
  /** Resolves when the process may continue its work. */
  readonly throttle: () => Promise<void>;
}

/** A place in the log that a session has reached. */
interface Reached {
  readonly partition: number;
  readonly offset: number;
  /** Broker time, ms. */
  readonly recordedAt: number;
  /** Share of the whole plan that is done, 0 to 1. */
  readonly share: number;
  /** True when no requested track was present before this step: the pace starts anew, and does not wait for the gap. */
  readonly begins: boolean;
}

export interface ReachedStep extends ReplayStep, Reached {}

/** The steps of one message, of which there is at least one. */
export interface ReachedMessage extends Reached {
  readonly steps: readonly ReplayStep[];
}

interface Open extends OpenSegment {
  readonly segment: Segment;
  head: RecordedEvent;
}

/** Folding gives way to other sessions after this time. */
const YIELD_AFTER_MS = 20;

/** `plan` is sorted by the beginning of its segments. */
export async function* stepsOf(plan: readonly Segment[], deps: StepsDeps): AsyncGenerator<ReachedStep, void> {
  for await (const message of messagesOf(plan, deps)) yield* stepsIn(message);
}

export function* stepsIn({ steps, begins, ...reached }: ReachedMessage): Generator<ReachedStep, void> {
  let isFirst = begins;
  for (const step of steps) {
    yield { ...step, ...reached, begins: isFirst };
    if (step.signals.length > 0) isFirst = false;
  }
}

/** The messages with steps. A consumer that takes them at once is faster than one of single steps. */
export async function* messagesOf(plan: readonly Segment[], deps: StepsDeps): AsyncGenerator<ReachedMessage, void> {
  const open: Open[] = [];
  let begun = 0;
  let begins = true;
  let since = performance.now();

  const shareAt = (segment: Segment, recordedAt: number) => shareOf(plan, begun, segment, recordedAt);

  try {
    const openSegment = await deps.prepare(plan);
    for (;;) {
      begins ||= open.every(({ fold, head }) => fold.isBetween(head.recordedAt));
      const first = earliestOf(open, orderOf);
      const next = plan[begun];
      if (next !== undefined && (first === undefined || next.beginAt <= first.head.recordedAt)) {
        begun += 1;
        await begin(open, next, openSegment(next));
        continue;
      }
      if (first === undefined) return;
      const { segment, fold, head } = first;
      const { offset, recordedAt } = head;
      const place = { partition: segment.partition, offset, recordedAt };
      const steps = fold.fold(head);
      if (steps.length > 0) yield { steps, ...place, begins, share: shareAt(segment, recordedAt) };
      begins &&= !hasSignals(steps);
      // Must come after the steps are taken: the session may end at each of them, and then all open segments are
      // closed.
      if (await hasEnded(open, first)) {
        const last = fold.finish(deps.plannedAt);
        if (last.length > 0) yield { steps: last, ...place, begins, share: shareAt(segment, segment.lastAt) };
      }
      if (performance.now() - since < YIELD_AFTER_MS) continue;
      await setImmediate();
      await deps.throttle();
      since = performance.now();
    }
  } finally {
    for (const { events } of open) await events.return();
  }
}

const orderOf = ({ head, segment }: Open): ReadingOrder => ({ recordedAt: head.recordedAt, rank: segment.partition });
const hasSignals = (steps: readonly ReplayStep[]): boolean => steps.some(({ signals }) => signals.length > 0);

async function begin(open: Open[], segment: Segment, { fold, events }: OpenSegment): Promise<void> {
  const { value } = fold.isOver() ? { value: undefined } : await events.next();
  if (value !== undefined) open.push({ segment, fold, events, head: value });
  else await events.return();
}

/**
 * Takes the next message of a segment, or closes the segment.
 * @returns true when the segment has ended before its fold was over.
 */
async function hasEnded(open: Open[], each: Open): Promise<boolean> {
  const isOver = each.fold.isOver();
  const { value } = isOver ? { value: undefined } : await each.events.next();
  if (value !== undefined) {
    each.head = value;
    return false;
  }
  open.splice(open.indexOf(each), 1);
  await each.events.return();
  return !isOver;
}

/** Estimates the share by the recorded time of the segments that have begun. */
export function shareOf(
  plan: readonly Segment[],
  begun: number,
  { beginAt, lastAt }: Segment,
  recordedAt: number,
): number {
  const own = lastAt > beginAt ? Math.min(1, Math.max(0, (recordedAt - beginAt) / (lastAt - beginAt))) : 1;
  return Math.min(1, (begun - 1 + own) / plan.length);
}
