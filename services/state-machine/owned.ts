// A partition that this process works on, from one takeover to the next, and one step of that work. ownership.ts says
// when it becomes ours and when it ceases to be.
import type { KafkaMessage } from "kafkajs";
import {
  newestRecordedAt,
  noOutputs,
  type Outputs,
  type PartitionState,
  type Steps,
} from "../../projections/live/partition.ts";
import type { PerOutput } from "../../schemas/outputs.ts";
import type { OutMessage } from "../common/kafka/publisher.ts";
import { createLogClock, type LogClock } from "../common/log-clock.ts";
import type { Owner, Save } from "./live-store.ts";
import type { Written } from "./outputs.ts";
import type { TakenOver } from "./take-over.ts";

export interface Owned {
  readonly owner: Owner;
  readonly partition: number;
  readonly state: PartitionState;
  readonly written: Written;
  readonly tail: number;
  /** Outputs of the messages folded since the last round. */
  out: Outputs;
  /** The first message of `unread`, while it is folded in several portions: until it is done only outputs are written. */
  folding: Steps | undefined;
  /** Taken from the reader and not folded yet. */
  unread: readonly KafkaMessage[];
  /** Position once `unread` is folded: after the last message there may be offsets without one. */
  readUpTo: number;
  /** The first message of `unread` names a change of the catalog that this process has not read yet. */
  waiting: boolean;
  /** The log has not named this newest change of a geofence since then. */
  behind: { readonly newest: number; readonly sinceMs: number } | undefined;
  next: number;
  /** Position that Redis is known to hold once the rounds before are finished. */
  stored: number | undefined;
  /** Where the partition of each topic of outputs ends. */
  ends: PerOutput<number>;
  /** Redis must be given everything, not only what was touched. */
  rewrite: boolean;
  /** Everything is being written directly from the state, which must not change meanwhile. */
  frozen: boolean;
  /** The broker's clock, or one behind it: it goes on from the newest message that was read. */
  readonly clock: LogClock;
  expiryCheckedAt: number;
  /** Everything that the log held at this time of its clock is folded; undefined: not known yet. */
  caughtUpAt: number | undefined;
  savedAt: number;
  /** Rounds folded and not finished; `finished` resolves when there are none, and never rejects. */
  rounds: number;
  finished: Promise<void>;
  /** The owner writes nothing more, and takes the partition over anew at `againAt` (performance.now()) or later. */
  abandoned: boolean;
  againAt: number;
  /** How often in a row it was abandoned without an output written in between. */
  failures: number;
}

export interface Round {
  readonly owned: Owned;
  readonly messages: readonly OutMessage[];
  /** Undefined: the round has only the first outputs of a message, and the state is that of no position. */
  readonly save: Omit<Save, "owner" | "expected" | "ends"> | undefined;
}

/** One is on its way to Kafka and Redis while the next is folded. */
const MOST_ROUNDS = 2;

interface Beginning {
  readonly next: number;
  readonly failures: number;
  readonly elapsed: () => number;
}

export function createOwned(
  { begin: _, rebuilding, ...known }: TakenOver,
  { next, failures, elapsed }: Beginning,
): Owned {
  const clock = createLogClock(elapsed);
  // Until a message comes, nothing later is known of the broker's clock.
  const recordedAt = newestRecordedAt(known.state);
  if (recordedAt !== undefined) clock.heard(recordedAt);
  return {
    ...known,
    out: noOutputs(),
    folding: undefined,
    unread: [],
    waiting: false,
    behind: undefined,
    readUpTo: next,
    next,
    rewrite: rebuilding,
    frozen: false,
    clock,
    expiryCheckedAt: Number.NEGATIVE_INFINITY,
    caughtUpAt: undefined,
    savedAt: Number.NEGATIVE_INFINITY,
    rounds: 0,
    finished: Promise.resolve(),
    abandoned: false,
    againAt: 0,
    failures,
  };
}

export const canFold = (mine: Owned): boolean => !mine.abandoned && !mine.frozen && mine.rounds < MOST_ROUNDS;
