// A codec whose events of detections cost no objects.
import type { Codec } from "../../../schemas/codec.ts";
import { DetectionsReader } from "../../../schemas/log/detections-reader.ts";
import { HEADER_BYTES, schemaId } from "./value-readers.ts";

/**
 * Returns the codec with a reader of its own for DetectionsRecorded in the schema of this version. Such an event is
 * valid until the next value is decoded.
 */
export function readingInPlace(codec: Codec): Codec {
  const written = codec.encode("DetectionsRecorded", { dataSourceId: "", detections: [] });
  const id = schemaId(written);
  const reader = new DetectionsReader();
  return {
    ...codec,
    decode(value) {
      if (value !== null && schemaId(value) === id) {
        const event = reader.read(value, HEADER_BYTES);
        if (event !== undefined) return { ok: true, type: "DetectionsRecorded", event };
      }
      return codec.decode(value);
    },
  };
}

/** A reader of events that may pause within one. */
export interface Borrower {
  /** True when it reads no further. */
  readonly isOver: boolean;
}

/** Returns the codec for the next event of the borrower, which calls `giveBack` when it has read the event. */
export interface Lending {
  lend(borrower: Borrower): Codec;
  giveBack(borrower: Borrower): void;
}

/**
 * Lends the codec that reads in place to one borrower at a time, and `codec` itself to all others: who pauses within an
 * event keeps it valid.
 */
export function lendingInPlace(codec: Codec): Lending {
  const inPlace = readingInPlace(codec);
  let lentTo: Borrower | undefined;
  return {
    lend(borrower) {
      // One that is over may have paused for ever.
      if (lentTo !== undefined && !lentTo.isOver) return codec;
      lentTo = borrower;
      return inPlace;
    },
    giveBack(borrower) {
      if (lentTo === borrower) lentTo = undefined;
    },
  };
}

/** For borrowers that keep parts of events. */
export const lendingPlain = (codec: Codec): Lending => ({ lend: () => codec, giveBack: () => {} });
