// The progress of a partition that is stored: its position in Redis, and the ends of its topics of outputs.
import { type PerAligned, type PerOutput, perAligned } from "../../../schemas/outputs.ts";
import type { Acknowledged } from "../../common/kafka/write/publisher.ts";

/** A save happens even without changes, so that a flushed Redis is noticed and written again. */
const SAVE_AT_LEAST_EVERY_MS = 2_000;

interface KnownProgress {
  readonly stored: number | undefined;
  readonly ends: PerAligned<number>;
  readonly rebuilding: boolean;
}

export class SavedProgress {
  #stored: number | undefined;
  #ends: PerAligned<number>;
  #needsAll: boolean;
  #folded = Number.NEGATIVE_INFINITY;

  constructor({ stored, ends, rebuilding }: KnownProgress) {
    this.#stored = stored;
    this.#ends = ends;
    this.#needsAll = rebuilding;
  }

  /** Position in Redis once the earlier rounds are finished. */
  get stored(): number | undefined {
    return this.#stored;
  }

  /** Ends of the partition in each aligned topic of outputs. */
  get ends(): PerAligned<number> {
    return this.#ends;
  }

  /**
   * @returns true when the next save must write the whole state. A rebuild saves nothing before it has reached the
   * position in Redis.
   */
  needsAll(next: number): boolean {
    return this.#needsAll && next >= (this.#stored ?? 0);
  }

  isDue(elapsedMs: number): boolean {
    return elapsedMs - this.#folded >= SAVE_AT_LEAST_EVERY_MS;
  }

  /** Must be called when a round with a save was folded. `isWhole` means that it has everything. */
  folded(elapsedMs: number, isWhole: boolean): void {
    this.#folded = elapsedMs;
    if (isWhole) this.#needsAll = false;
  }

  sent(positions: readonly Acknowledged[], topics: PerOutput<string>): void {
    const ends = new Map(positions.map(({ topic, offset }) => [topic, offset + 1]));
    this.#ends = perAligned((topic) => ends.get(topics[topic]) ?? this.#ends[topic]);
  }

  saved(next: number): void {
    this.#stored = next;
  }

  /** Must be called when Redis has less than was saved. */
  forgotten(): void {
    this.#needsAll = true;
  }
}
