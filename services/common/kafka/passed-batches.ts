// Lets kafkajs tell from where it has fetched a batch that has nothing for readers. Its own answer, the first offset in
// the batch, lies beyond the one that was asked for where compaction has removed what was before.
import { createRequire } from "node:module";

/** As much of kafkajs' batch as is needed. */
interface FetchedBatch {
  readonly fetchedOffset: string;
  isEmpty(): boolean;
  firstOffset(): string | null;
}

const require = createRequire(import.meta.url);
const { prototype }: { readonly prototype: FetchedBatch } = require("kafkajs/src/consumer/batch.js");
const firstWithin = prototype.firstOffset;

function firstOffset(this: FetchedBatch): string | null {
  return this.isEmpty() ? this.fetchedOffset : firstWithin.call(this);
}

/**
 * For the whole process.
 * @returns whether it is in place.
 */
export function useFetchedOffsets(): boolean {
  prototype.firstOffset = firstOffset;
  return prototype.firstOffset === firstOffset && typeof firstWithin === "function";
}
