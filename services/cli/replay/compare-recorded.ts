// Compares the signals of a run with those that the recorded subscriptions had, message by message of the camera-log.
// Both sides have the messages of a partition in the same order, so only the signals of one message are in memory.
import type { LiveListener, Outputs } from "../../../projections/live/partition.ts";
import type { RecordedEvent } from "../../../projections/live/types.ts";
import type { Segment } from "../../../projections/replay/session.ts";
import type { SignalRaised } from "../../../schemas/records/signal-raised.ts";
import { type Ahead, aheadOf } from "./ahead.ts";
import { createDifferences, type Differences } from "./differences.ts";
import { type KeyOf, pairUp } from "./pair-up.ts";
import type { RecordedSignals } from "./recorded-signals.ts";
import { signalLine } from "./signal-line.ts";
import type { SignalSink } from "./sink.ts";

export interface RecordedComparison extends SignalSink {
  readonly differences: Differences;
  /** Signals of the run that cannot be compared, because the topic no longer has the signals of that time. */
  readonly notKept: () => number;
  /** Signals of messages that were recorded before the subscription existed. */
  readonly before: () => number;
  /** Lets the comparison know the signals that are not asked for: the topic has them, too. */
  watch(listener: LiveListener): LiveListener;
  /** Must be called before the event is folded, when all signals of earlier events have been taken. */
  passing(segment: Segment, event: RecordedEvent): Promise<void>;
}

/** The comparison of one partition of the camera-log. */
interface Side {
  readonly sent: Ahead<SignalRaised>;
  readonly segments: readonly Segment[];
  /** The message that is being folded. */
  offset: number;
  recordedAt: number;
  readonly taken: SignalRaised[];
  /** The outputs of the fold, with all signals of the message. */
  out: Outputs | undefined;
}

/** A signal of the run, or one that was sent then. Only one of the run may be known not to be asked for. */
interface Compared {
  readonly raised: SignalRaised;
  readonly isAsked: boolean;
}

export function compareRecorded(plan: readonly Segment[], signals: RecordedSignals): RecordedComparison {
  const { differences, add, figures } = createVerdicts(signals);
  const sides = new Map<number, Side>();

  function sideOf(partition: number): Side {
    const side = sides.get(partition) ?? openSide(partition, plan, signals);
    sides.set(partition, side);
    return side;
  }

  for (const { partition } of plan) sideOf(partition);

  async function settle(side: Side): Promise<void> {
    const then: Compared[] = [];
    for (let next = await side.sent.peek(); next !== undefined; next = await side.sent.peek()) {
      if (next.cause.offset > side.offset) break;
      side.sent.take();
      if (next.cause.offset === side.offset) then.push({ raised: next, isAsked: true });
      else add.missing(next, side);
    }
    const { pairs, missing, added } = pairUp(then, runOf(side), passes);
    for (const [was, is] of pairs) if (is.isAsked) add.pair(was.raised, is.raised);
    for (const { raised } of missing) add.missing(raised, side);
    for (const { raised, isAsked } of added) if (isAsked) add.new(raised, side);
    side.taken.length = 0;
  }

  return {
    differences,
    notKept: () => figures.notKept,
    before: () => figures.before,
    watch: (listener) => ({
      ...listener,
      of(fold, dataSourceId) {
        sideOf(fold.state.partition).out = fold.out;
        return listener.of(fold, dataSourceId);
      },
    }),
    async passing({ partition }, { offset, recordedAt }) {
      const side = sideOf(partition);
      if (offset === side.offset) return;
      await settle(side);
      Object.assign(side, { offset, recordedAt, out: undefined });
    },
    take: async ({ partition, signals: raised }) => void sideOf(partition).taken.push(...raised),
    async finish() {
      for (const side of sides.values()) {
        // No message passed, so every signal of then that is asked for is missing.
        if (side.offset < 0) side.offset = Math.max(...side.segments.map(({ end }) => end)) - 1;
        await settle(side);
      }
      for (const { sent } of sides.values()) await sent.close();
    },
    async abandon() {
      for (const { sent } of sides.values()) await sent.close();
    },
  };
}

const openSide = (partition: number, plan: readonly Segment[], signals: RecordedSignals): Side => ({
  sent: aheadOf(signals.sentOf(partition)),
  segments: plan.filter((segment) => segment.partition === partition),
  offset: -1,
  recordedAt: 0,
  taken: [],
  out: undefined,
});

function createVerdicts({ subscriptions, keptSince }: RecordedSignals) {
  const differences = createDifferences();
  const createdAt = new Map(subscriptions.map((each) => [each.key, each.createdAt]));
  const figures = { notKept: 0, before: 0 };
  return {
    differences,
    figures,
    add: {
      pair(was: SignalRaised, is: SignalRaised): void {
        if (contentOf(was) === contentOf(is)) differences.same();
        else differences.changed(lineOf(was), lineOf(is));
      },
      missing(raised: SignalRaised, { segments }: Side): void {
        if (segments.some((segment) => isAskedOf(raised, segment))) differences.missing(lineOf(raised));
      },
      new(raised: SignalRaised, { recordedAt }: Side): void {
        if (recordedAt < keptSince(raised.subscriptionId)) figures.notKept += 1;
        else if (recordedAt <= (createdAt.get(raised.subscriptionId) ?? 0)) figures.before += 1;
        else differences.added(lineOf(raised));
      },
    },
  };
}

/** All signals of the message: the taken ones, and those that are not asked for. */
function runOf({ taken, out }: Side): Compared[] {
  const contents = new Map<string, number>();
  for (const signal of taken) contents.set(contentOf(signal), (contents.get(contentOf(signal)) ?? 0) + 1);
  const others = (out?.lists.signals ?? []).filter((signal) => {
    const left = contents.get(contentOf(signal)) ?? 0;
    contents.set(contentOf(signal), left - 1);
    return left <= 0;
  });
  return [
    ...taken.map((raised) => ({ raised, isAsked: true })),
    ...others.map((raised) => ({ raised, isAsked: false })),
  ];
}

/** Most signals are the same. Of the others, those of one subject and its cause belong together. */
const passes: readonly KeyOf<Compared>[] = [
  ({ raised }) => contentOf(raised),
  ({ raised }) => JSON.stringify([...subjectOf(raised), raised.signal, raised.timestamp]),
  ({ raised }) => JSON.stringify(subjectOf(raised)),
];

function subjectOf(raised: SignalRaised): readonly string[] {
  const { dataSourceId, trackId } = trackOf(raised);
  return [raised.subscriptionId, raised.subjectId, dataSourceId, trackId];
}

/** Everything but the id and the cause. */
const contentOf = ({ id: _id, cause: _cause, state, ...content }: SignalRaised): string =>
  `${JSON.stringify(content)} ${state}`;

const lineOf = (raised: SignalRaised) => () => signalLine(raised, raised.subscriptionId);

/** Decides for a signal that the run does not have. An end counts by its own time here. */
function isAskedOf(raised: SignalRaised, { asked, dataSourceIds }: Segment): boolean {
  if (asked.kind === "offsets")
    return asked.spans.some(({ from, to }) => from <= raised.cause.offset && raised.cause.offset < to);
  const { dataSourceId, trackId } = trackOf(raised);
  if (asked.kind === "tracks") {
    return asked.tracks.some((track) => track.trackId === trackId && track.dataSourceId === dataSourceId);
  }
  return asked.from <= raised.timestamp && raised.timestamp < asked.to && dataSourceIds.includes(dataSourceId);
}

function trackOf({ signal, subjectId, dataSourceId, state }: SignalRaised) {
  if (!signal.startsWith("zone_") && dataSourceId !== null) return { dataSourceId, trackId: subjectId };
  const { trigger_track_id: trackId, datasource_id: ofZone } = JSON.parse(state);
  return { dataSourceId: String(ofZone), trackId: String(trackId) };
}
