// Folds the unread messages of a partition into a round, for a moment only, so that the process stays responsive.
import type { KafkaMessage } from "kafkajs";
import {
  applyInSteps,
  type LiveSettings,
  noOutputs,
  type Steps,
  takeEndsOfForgotten,
} from "../../projections/live/partition.ts";
import type { EventBounds } from "../../schemas/bounds.ts";
import type { Codec } from "../../schemas/codec.ts";
import { readCameraLog } from "../../schemas/read-message.ts";
import type { Log } from "../common/log.ts";
import type { CaughtUp } from "./caught-up.ts";
import { changesOf } from "./changes-of.ts";
import { expire } from "./expire.ts";
import type { HasRead } from "./follow-geofences.ts";
import type { createOutputs } from "./outputs.ts";
import type { Owned, Round } from "./owned.ts";

export interface FoldDeps {
  readonly codec: Codec;
  readonly outputs: ReturnType<typeof createOutputs>;
  readonly log: Log;
  readonly settings: LiveSettings;
  readonly bounds: EventBounds;
  /** The time that messages bear as theirs. */
  readonly now: () => number;
  /** ms since any fixed moment, of a clock that nobody sets. */
  readonly elapsed: () => number;
  readonly caughtUp: CaughtUp;
  /** Whether `settings.geofences` know the catalog beyond the offset. */
  readonly hasReadCatalog: (offset: number) => HasRead;
}

/** Far below the session time-out; much longer than a round costs beside folding. */
const PORTION_MS = 50;
/**
 * Outputs of one message that go out before the next are folded: their number is that of its detections times the areas around
 * each, and memory may not hold them all. Encoding them takes about a tenth of a second.
 */
const MOST_OUTPUTS = 5_000;
/** The same for signals, each of which has the whole state of its track or zone. */
const MOST_SIGNAL_CHARACTERS = 4 * 1024 * 1024;
/** The same for zone versions, in which a vertex takes 16 bytes. */
const MOST_ZONE_VERTICES = 256 * 1024;
/** Ends of tracks in a round: after a long silence there may be as many as tracks. */
const MOST_ENDS = 5_000;
/** Far longer than a writer takes from the catalog to the log. */
const MEND_AFTER_MS = 2_000;
/** Also without news, so that a flushed Redis is noticed and written again. */
const SAVE_AT_LEAST_EVERY_MS = 2_000;

/**
 * Undefined: nothing to write (yet). Whole messages, those that the portion has no time for stay unread; or the first outputs
 * of one message.
 */
export function foldRound(mine: Owned, deps: FoldDeps): Round | undefined {
  const { outputs, log } = deps;
  const nowMs = deps.now();
  const before = mine.next;
  foldPortion(mine, deps);
  if (mine.folding !== undefined) return firstOutputs(mine, nowMs, deps);
  const { out } = mine;
  mine.out = noOutputs();
  if (out.late > 0 || out.duplicates > 0) {
    log.debug({ partition: mine.partition, late: out.late, duplicates: out.duplicates }, "detections without effect");
  }
  const forgotten = takeEndsOfForgotten(mine.state);
  const ended = expire(mine, deps, Math.max(0, MOST_ENDS - forgotten.length));
  const missing = missingGeofences(mine, deps);
  // A rebuild writes nothing before the position that Redis has.
  const rewrite = mine.rewrite && mine.next >= (mine.stored ?? 0);
  const idle = mine.next === before && forgotten.length + ended.length === 0 && missing === undefined && !rewrite;
  const elapsedMs = deps.elapsed();
  if (idle && elapsedMs - mine.savedAt < SAVE_AT_LEAST_EVERY_MS) return undefined;
  mine.savedAt = elapsedMs;
  if (rewrite) mine.rewrite = false;
  return {
    owned: mine,
    messages: [
      ...outputs.toMessages(out, mine.written, nowMs),
      ...outputs.endMessages(mine.partition, [...forgotten, ...ended], nowMs),
      ...(missing === undefined ? [] : [outputs.geofencesMessage(mine, missing, nowMs)]),
    ],
    save: {
      partition: mine.partition,
      next: mine.next,
      changes: changesOf(mine.state, rewrite),
      geofencesUpTo: mine.state.geofencesUpTo,
    },
  };
}

/** A next owner folds the message again, and writes only what is beyond the outputs that it finds. */
function firstOutputs(mine: Owned, nowMs: number, { outputs }: FoldDeps): Round | undefined {
  const { out } = mine;
  if (!isFull(mine)) return undefined;
  const messages = [
    ...outputs.toMessages(out, mine.written, nowMs),
    ...outputs.endMessages(mine.partition, takeEndsOfForgotten(mine.state), nowMs),
  ];
  // The fold goes on with the same object.
  for (const list of [out.intersections, out.geofenceIntersections, out.zoneVersions, out.signals]) list.length = 0;
  out.signalCharacters = 0;
  out.zoneVertices = 0;
  return { owned: mine, messages, save: undefined };
}

const isFull = ({ out, state }: Owned): boolean =>
  out.intersections.length + out.geofenceIntersections.length >= MOST_OUTPUTS ||
  out.zoneVersions.length >= MOST_OUTPUTS ||
  out.zoneVertices >= MOST_ZONE_VERTICES ||
  out.signals.length >= MOST_OUTPUTS ||
  out.signalCharacters >= MOST_SIGNAL_CHARACTERS ||
  state.endsOfForgotten.length >= MOST_ENDS;

function foldPortion(mine: Owned, deps: FoldDeps): void {
  const until = performance.now() + PORTION_MS;
  let folded = 0;
  for (const message of mine.unread) {
    mine.folding ??= foldMessage(mine, message, deps);
    if (!isDone(mine, mine.folding, until)) break;
    mine.folding = undefined;
    mine.next = Number(message.offset) + 1;
    folded += 1;
    if (performance.now() > until || isFull(mine)) break;
  }
  mine.unread = mine.unread.slice(folded);
  if (mine.unread.length === 0) mine.next = mine.readUpTo;
}

/** Takes one step at least. */
function isDone(mine: Owned, steps: Steps, until: number): boolean {
  while (!steps.next().done) if (mine.waiting || performance.now() > until || isFull(mine)) return false;
  return true;
}

function* foldMessage(mine: Owned, message: KafkaMessage, deps: FoldDeps): Steps {
  const { codec, log, settings, bounds } = deps;
  const offset = Number(message.offset);
  const recordedAt = Number(message.timestamp);
  const read = readCameraLog(codec, { value: message.value, recordedAt, partition: mine.partition, bounds });
  if (read.ok) {
    if (read.message.type === "GeofencesAdvanced" && !(yield* isInCatalog(mine, read.message.event.upTo, deps))) {
      log.warn({ partition: mine.partition, offset }, "names a change that the catalog does not have, skipped");
      return;
    }
    yield* applyInSteps(mine.state, { offset, recordedAt, message: read.message }, settings, mine.out);
  } else {
    log.debug({ partition: mine.partition, offset, reason: read.reason }, "message skipped");
  }
}

/** The catalog had the change before the log named it, but this process may read it a moment later. */
function* isInCatalog(mine: Owned, upTo: number, { hasReadCatalog }: FoldDeps): Generator<void, boolean> {
  let known = hasReadCatalog(upTo);
  while (known === "not yet") {
    mine.waiting = true;
    yield;
    known = hasReadCatalog(upTo);
  }
  mine.waiting = false;
  return known === "yes";
}

/**
 * The writer of a geofence may have died before it had told every partition: then the owner tells its own. The newest change of
 * the catalog that the partition's log has not named for a while; undefined = nothing is missing.
 */
function missingGeofences(mine: Owned, { settings, elapsed }: FoldDeps): number | undefined {
  const newest = settings.geofences.newest();
  const { geofencesUpTo } = mine.state;
  if (mine.next < mine.tail || !(geofencesUpTo < newest)) {
    mine.behind = undefined;
    return undefined;
  }
  const sinceMs = elapsed();
  if (mine.behind === undefined || geofencesUpTo >= mine.behind.newest) mine.behind = { newest, sinceMs };
  if (sinceMs - mine.behind.sinceMs < MEND_AFTER_MS) return undefined;
  mine.behind = { newest, sinceMs };
  return newest;
}
