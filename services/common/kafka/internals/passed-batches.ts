// Lets kafkajs report the offset from which it fetched a batch without messages for readers. kafkajs itself reports the
// first offset in the batch, which lies beyond the requested one when compaction has removed the messages before.
import { createRequire } from "node:module";

/** The members of kafkajs' batch that are needed. */
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
 * Takes effect for the whole process.
 * @returns true when our function is in place.
 */
export function useFetchedOffsets(): boolean {
  prototype.firstOffset = firstOffset;
  return prototype.firstOffset === firstOffset && typeof firstWithin === "function";
}
