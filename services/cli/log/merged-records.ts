// The records of all segments of a file in the order of their broker times, as they were written to the log. A segment
// is opened when its time has come, so no more are open than were recorded at the same time.
import { earliestOf, type ReadingOrder } from "../../recorded/earliest.ts";
import type { SegmentPlace, StretchFile } from "../../recorded/stretch/read-stretch.ts";
import type { StretchRecord } from "../../recorded/stretch/schema.ts";

export interface PlacedRecord {
  readonly place: SegmentPlace;
  readonly record: StretchRecord;
}

interface OpenPart extends PlacedRecord {
  readonly records: AsyncGenerator<StretchRecord, void>;
}

export async function* mergedRecords(
  file: Pick<StretchFile, "segments" | "segmentRecords">,
): AsyncGenerator<PlacedRecord, void> {
  const waiting = file.segments.toSorted((a, b) => a.segment.beginAt - b.segment.beginAt);
  let open: OpenPart[] = [];

  async function advance(part: Omit<OpenPart, "record">): Promise<void> {
    const { value: record } = await part.records.next();
    if (record !== undefined) open.push({ ...part, record });
  }

  try {
    for (;;) {
      const first = earliestOf(open, orderOf);
      const [next] = waiting;
      if (next !== undefined && (first === undefined || next.segment.beginAt <= first.record.recordedAt)) {
        waiting.shift();
        await advance({ place: next, records: file.segmentRecords(next) });
        continue;
      }
      if (first === undefined) return;
      yield { place: first.place, record: first.record };
      open = open.filter((part) => part !== first);
      await advance(first);
    }
  } finally {
    for (const { records } of open) await records.return();
  }
}

/** Segments of the same time take turns by their place in the file. */
const orderOf = ({ record, place }: OpenPart): ReadingOrder => ({
  recordedAt: record.recordedAt,
  rank: place.position,
});
