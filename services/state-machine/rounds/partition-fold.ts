// The fold of one partition: the messages that are not folded yet, the state, and the outputs since the last round.
import type { KafkaMessage } from "kafkajs";
import {
  countTouched,
  emptyLists,
  noOutputs,
  type Outputs,
  type PartitionState,
} from "../../../projections/live/partition.ts";
import { MIB } from "../../../schemas/units.ts";
import type { TakenBatch } from "../../common/kafka/read/group-reader.ts";

/** Yields "waits" when the message names a change of the catalog that this process has not read yet. */
export type FoldSteps = Generator<unknown, void>;

/**
 * Outputs of one message that are written before the next are folded: a message may have as many as its detections
 * times the areas around each, and memory may not hold them all. Encoding this number takes about a tenth of a second.
 */
const MOST_OUTPUTS = 5_000;
/** The same limit in bytes, for outputs that may be long: a signal has the whole state of its track or zone. */
const MOST_OUTPUT_BYTES = 4 * MIB;
/** Ends of tracks in a round: after a long silence all tracks may end at once. */
export const MOST_ENDS = 5_000;

/**
 * Texts that a round touches before it ends, in a state of more than LARGE_STATE tracks and zones. A round with more
 * texts than one save may have (changes-of.ts) writes all of the state. In a small state that is cheap, because a track
 * with many detections is written once; in a large one it would be many texts for each detection.
 */
const MOST_TOUCHED = 5_000;
/** About the detections that are folded in one round of a backlog. */
const LARGE_STATE = 30_000;

export class PartitionFold {
  readonly state: PartitionState;
  #out = noOutputs();
  /** Messages taken from the reader and not folded yet. */
  #unread: readonly KafkaMessage[] = [];
  /**
   * Position once all unread messages are folded. It may be past the last message, because some offsets have no
   * message.
   */
  #readUpTo: number;
  #next: number;
  /**
   * The fold of the first unread message, while it takes several portions. Until it is done, rounds write only outputs.
   */
  #steps: FoldSteps | undefined;
  #isWaiting = false;

  constructor(state: PartitionState, next: number) {
    this.state = state;
    this.#next = next;
    this.#readUpTo = next;
  }

  /** Offset to fold next. */
  get next(): number {
    return this.#next;
  }

  get out(): Outputs {
    return this.#out;
  }

  get isDone(): boolean {
    return this.#unread.length === 0;
  }

  /** @returns true when a portion can be folded now. */
  get hasMore(): boolean {
    return !this.isDone && !this.#isWaiting;
  }

  /** @returns true between the portions of one message: the state then belongs to no position. */
  get isInMessage(): boolean {
    return this.#steps !== undefined;
  }

  get isFull(): boolean {
    const { count, bytes } = this.#out;
    return count >= MOST_OUTPUTS || bytes >= MOST_OUTPUT_BYTES || this.state.endsOfForgotten.length >= MOST_ENDS;
  }

  get #hasTouchedMost(): boolean {
    const { tracks, zones } = this.state;
    return tracks.size + zones.size > LARGE_STATE && countTouched(this.state) >= MOST_TOUCHED;
  }

  /** Must be called only when all messages before are folded. */
  take({ messages, next }: TakenBatch): void {
    this.#unread = messages;
    this.#readUpTo = next;
  }

  /** Folds until the time (performance.now()), or until the round is full; at least one step. */
  fold(until: number, stepsOf: (message: KafkaMessage) => FoldSteps): void {
    let folded = 0;
    for (const message of this.#unread) {
      this.#steps ??= stepsOf(message);
      if (!this.#finishes(this.#steps, until)) break;
      this.#steps = undefined;
      this.#next = Number(message.offset) + 1;
      folded += 1;
      if (performance.now() > until || this.isFull || this.#hasTouchedMost) break;
    }
    this.#unread = this.#unread.slice(folded);
    if (this.isDone) this.#next = this.#readUpTo;
  }

  #finishes(steps: FoldSteps, until: number): boolean {
    for (;;) {
      const { done, value } = steps.next();
      this.#isWaiting = value === "waits";
      if (done) return true;
      if (this.#isWaiting || performance.now() > until || this.isFull) return false;
    }
  }

  /** Must be called between two messages. */
  takeOutputs(): Outputs {
    const out = this.#out;
    this.#out = noOutputs();
    return out;
  }

  /**
   * Empties the lists of outputs. Must be called when the first outputs of a message are in a round; the fold of the
   * message then continues.
   */
  continueEmpty(): void {
    emptyLists(this.#out);
  }
}
