// Folds the unread messages of a partition into a round, for a short time only, so that the process stays responsive.
import type { KafkaMessage } from "kafkajs";
import {
  applyInSteps,
  emptyLists,
  noOutputs,
  type Outputs,
  takeEndsOfForgotten,
} from "../../../projections/live/partition.ts";
import type { EventBounds } from "../../../schemas/bounds.ts";
import type { TrackExpired } from "../../../schemas/events.ts";
import { COPIED_FROM } from "../../../schemas/headers.ts";
import { readCameraLog } from "../../../schemas/read-message.ts";
import type { Log } from "../../common/log.ts";
import type { Lending } from "../../common/registry/read-in-place.ts";
import type { HasRead } from "../follow/follow-geofences.ts";
import { changesOf } from "./changes-of.ts";
import type { ExpiryDeps } from "./expire.ts";
import {
  duplicateDetections,
  expiredTracks,
  foldedMessages,
  foldSeconds,
  lateDetections,
  reopenedTracks,
  roundMessages,
  skippedMessages,
} from "./metrics.ts";
import type { createOutputs } from "./outputs.ts";
import type { FoldedRound, OwnedPartition } from "./owned-partition.ts";
import { type FoldSteps, MOST_ENDS } from "./partition-fold.ts";

export interface RoundDeps extends ExpiryDeps {
  readonly codecs: Lending;
  readonly outputs: ReturnType<typeof createOutputs>;
  readonly log: Log;
  readonly bounds: EventBounds;
  /** Returns the time that is written into new messages, ms. */
  readonly now: () => number;
  /** Returns whether `settings.geofences` have read the catalog beyond the offset. */
  readonly hasReadCatalog: (offset: number) => HasRead;
}

/** Time for which a round folds: far below the session time-out, and much longer than the rest of a round takes. */
const PORTION_MS = 50;

/**
 * A round has whole messages, as many as are folded within PORTION_MS. A message with very many outputs is written in
 * parts: its round has only the first outputs.
 * @returns undefined when there is nothing to write (yet).
 */
export function foldRound(mine: OwnedPartition, deps: RoundDeps): FoldedRound | undefined {
  const { fold, progress, partition } = mine;
  const { outputs } = deps;
  const nowMs = deps.now();
  const before = fold.next;
  const startedAt = performance.now();
  fold.fold(startedAt + PORTION_MS, (message) => foldMessage(mine, message, deps));
  if (fold.next !== before) {
    foldSeconds.observe((performance.now() - startedAt) / 1_000);
    foldedMessages.inc(fold.next - before);
  }
  if (fold.isInMessage) return firstOutputs(mine, nowMs, deps);
  const out = takeOutputs(mine, deps.log);
  const ended = endsOf(mine, deps);
  const missing = missingGeofences(mine, deps);
  const isWhole = progress.needsAll(fold.next);
  const isIdle = fold.next === before && ended.length === 0 && missing === undefined && !isWhole;
  const elapsedMs = deps.elapsed();
  if (isIdle && !progress.isDue(elapsedMs)) return undefined;
  progress.folded(elapsedMs, isWhole);
  const traced = mine.traces.begin(nowMs);
  mine.traces.forget();
  const messages = [
    ...outputs.toMessages(out, mine.written, nowMs, traced?.traceOf),
    ...outputs.endMessages(partition, ended, nowMs),
    ...(missing === undefined ? [] : [outputs.geofencesMessage({ partition, next: fold.next }, missing, nowMs)]),
  ];
  expiredTracks.inc(ended.length);
  roundMessages.observe(messages.length);
  const { geofencesUpTo } = fold.state;
  const save = { partition, next: fold.next, changes: changesOf(fold.state, isWhole), geofencesUpTo };
  return { owned: mine, messages, save, span: traced?.span };
}

/**
 * After a crash or a stop the next owner folds the message again, and writes only outputs beyond those that it finds.
 * It finds no ends of tracks, so these wait for the end of the message, unless they become too many.
 */
function firstOutputs(mine: OwnedPartition, nowMs: number, { outputs }: RoundDeps): FoldedRound | undefined {
  const { fold } = mine;
  if (!fold.isFull) return undefined;
  const traced = mine.traces.begin(nowMs);
  const ended = fold.state.endsOfForgotten.length >= MOST_ENDS ? takeEndsOfForgotten(fold.state) : [];
  const messages = [
    ...outputs.toMessages(fold.out, mine.written, nowMs, traced?.traceOf),
    ...outputs.endMessages(mine.partition, ended, nowMs),
  ];
  fold.continueEmpty();
  return { owned: mine, messages, save: undefined, span: traced?.span };
}

function takeOutputs({ fold, partition }: OwnedPartition, log: Log): Outputs {
  const out = fold.takeOutputs();
  const { late, duplicates, reopened } = out;
  lateDetections.inc(late);
  duplicateDetections.inc(duplicates);
  reopenedTracks.inc(reopened);
  if (late > 0 || duplicates > 0) log.debug({ partition, late, duplicates }, "detections without effect");
  return out;
}

function endsOf({ fold, expiry, isPastTail, isCopied }: OwnedPartition, deps: RoundDeps): readonly TrackExpired[] {
  const { state } = fold;
  const most = Math.max(0, MOST_ENDS - state.endsOfForgotten.length);
  // Before the tail the log may already hold the ends that an earlier owner wrote.
  const due = isPastTail && !isCopied ? expiry.due(deps, most) : [];
  // The search for due ends forgets tracks, which the save of this round removes from the store. So this round must
  // write the ends of these tracks, too.
  return [...takeEndsOfForgotten(state), ...due];
}

function missingGeofences(mine: OwnedPartition, { settings, elapsed }: RoundDeps): number | undefined {
  const { fold, geofences, isPastTail, isCopied } = mine;
  return isPastTail && !isCopied
    ? geofences.check(fold.state.geofencesUpTo, settings.geofences, elapsed())
    : geofences.reset();
}

function* foldMessage(mine: OwnedPartition, message: KafkaMessage, deps: RoundDeps): FoldSteps {
  const { fold, partition, traces } = mine;
  const { codecs, log, settings, bounds } = deps;
  const isCopy = message.headers?.[COPIED_FROM] !== undefined;
  mine.folding(isCopy);
  const offset = Number(message.offset);
  traces.note(offset, message.headers);
  const recordedAt = Number(message.timestamp);
  const codec = codecs.lend(mine.tenure);
  try {
    const read = readCameraLog(codec, { value: message.value, recordedAt, partition, bounds });
    if (!read.ok) {
      skippedMessages.inc();
      log.debug({ partition, offset, reason: read.reason }, "message skipped");
      return;
    }
    if (read.message.type === "GeofencesAdvanced" && !(yield* isInCatalog(read.message.event.upTo, deps))) {
      log.warn({ partition, offset }, "names a change that the catalog does not have, skipped");
      return;
    }
    const recorded = { offset, recordedAt, message: read.message };
    if (!isCopy) yield* applyInSteps(fold.state, recorded, settings, fold.out);
    else yield* withoutOutputs(mine, (out) => applyInSteps(fold.state, recorded, settings, out));
  } finally {
    codecs.giveBack(mine.tenure);
  }
}

/**
 * Folds a copy. Its outputs are dropped after each step, because all together may not fit into memory. The ends of
 * tracks that were forgotten before are kept. Those that the copy has forgotten are dropped while the log is being
 * filled, when the state machine of the other namespace writes them; later, it may have stopped before it did.
 */
function* withoutOutputs(mine: OwnedPartition, stepsInto: (out: Outputs) => FoldSteps): FoldSteps {
  const { fold, wasBeingFilled } = mine;
  const dropped = noOutputs();
  const owed = [...takeEndsOfForgotten(fold.state)];
  for (const step of stepsInto(dropped)) {
    emptyLists(dropped);
    if (wasBeingFilled) takeEndsOfForgotten(fold.state);
    yield step;
  }
  const added = takeEndsOfForgotten(fold.state);
  fold.state.endsOfForgotten = wasBeingFilled ? owed : [...owed, ...added];
}

/** The catalog had the change before the log named it, but this process may read it a moment later. */
function* isInCatalog(upTo: number, { hasReadCatalog }: RoundDeps): Generator<"waits", boolean> {
  let known = hasReadCatalog(upTo);
  while (known === "not yet") {
    yield "waits";
    known = hasReadCatalog(upTo);
  }
  return known === "yes";
}
