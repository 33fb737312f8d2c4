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

export interface ReachedStep extends ReplayStep {
  readonly partition: number;
  readonly offset: number;
  /** Broker time, ms. */
  readonly recordedAt: number;
  /** Share of the whole plan that is done, 0 to 1. */
  readonly share: number;
  /** True when no requested track was present before this step: the pace starts anew, and does not wait for the gap. */
  readonly begins: boolean;
}

interface Open extends OpenSegment {
  readonly segment: Segment;
  readonly head: RecordedEvent;
}

/** Folding gives way to other sessions after this time. */
const YIELD_AFTER_MS = 20;

/** `plan` is sorted by the beginning of its segments. */
export async function* stepsOf(plan: readonly Segment[], deps: StepsDeps): AsyncGenerator<ReachedStep, void> {
  let open: Open[] = [];
  let begun = 0;
  let begins = true;
  let since = performance.now();

  /** @returns true when the segment has ended before its fold was over. */
  async function advance({ segment, fold, events }: Pick<Open, "segment" | "fold" | "events">): Promise<boolean> {
    const isOver = fold.isOver();
    const { value } = isOver ? { value: undefined } : await events.next();
    if (value !== undefined) open.push({ segment, fold, events, head: value });
    else await events.return();
    return !isOver && value === undefined;
  }

  const shareAt = (segment: Segment, recordedAt: number) => shareOf(plan, begun, segment, recordedAt);

  try {
    const openSegment = await deps.prepare(plan);
    for (;;) {
      begins ||= open.every(({ fold, head }) => fold.isBetween(head.recordedAt));
      const first = earliestOf(open, orderOf);
      const next = plan[begun];
      if (next !== undefined && (first === undefined || next.beginAt <= first.head.recordedAt)) {
        begun += 1;
        await advance({ segment: next, ...openSegment(next) });
        continue;
      }
      if (first === undefined) return;
      const { segment, fold, head } = first;
      const steps = fold.fold(head);
      const { offset, recordedAt } = head;
      const place = { partition: segment.partition, offset, recordedAt };
      for (const step of steps) {
        yield { ...step, ...place, begins, share: shareAt(segment, recordedAt) };
        if (step.signals.length > 0) begins = false;
      }
      // Must come after the steps are taken: the session may end at each of them, and then all open segments are
      // closed.
      open = open.filter((each) => each !== first);
      if (await advance(first)) {
        const share = shareAt(segment, segment.lastAt);
        for (const step of fold.finish(deps.plannedAt)) yield { ...step, ...place, begins, share };
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
