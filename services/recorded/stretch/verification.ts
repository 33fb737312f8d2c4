// The checks of the records of a stretch file, one after the other.
import { z } from "zod";
import type { Segment } from "../../../projections/replay/session.ts";
import type { EventBounds } from "../../../schemas/bounds.ts";
import { catalogTypes } from "../../../schemas/catalog/kinds.ts";
import { checkDetection, checkEvent } from "../../../schemas/checks.ts";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import { flawText } from "../../../schemas/flaw.ts";
import { jsonOf } from "../../../schemas/json.ts";
import { MIB } from "../../../schemas/units.ts";
import { DamagedFile } from "./container.ts";
import type { Block } from "./read-container.ts";
import { isCameraLogType, type StretchEnd, type StretchKind, type StretchRecord } from "./schema.ts";

/** Facts about all messages of a file. Times are in ms; those of a file without messages are NaN. */
export interface StretchFacts {
  readonly messages: number;
  readonly records: number;
  /** Data sources of the segments. */
  readonly dataSourceIds: ReadonlySet<string>;
  /** Broker times. */
  readonly firstRecordedAt: number;
  readonly lastRecordedAt: number;
  /** The earliest event time of a detection. */
  readonly firstDetectionAt: number;
  /** The longest time by which a detection is later, after the earliest one, than its message after the first one. */
  readonly aheadMs: number;
}

export interface RecordPlace {
  /** Size of the record. */
  readonly bytes: number;
  /** True for the first record of the block, and for the only one. */
  readonly isFirst: boolean;
  readonly isOnly: boolean;
  readonly block: Pick<Block, "position" | "sha256Before">;
}

/** The kinds in their order; those of one number may alternate. A segment may follow the messages of another one. */
const STAGES: Readonly<Record<StretchKind, number>> = {
  segment: 1,
  zone: 2,
  track: 3,
  message: 3,
  tick: 3,
  catalog: 4,
  end: 5,
};

/**
 * A reader holds these in memory: all segments, the zones of a segment, and the catalog. Segments are lists of short
 * ids, which take ten times their bytes.
 */
export const MAX_HELD_BYTES = { segments: 16 * MIB, zones: 256 * MIB, catalog: 256 * MIB } as const;

const finite = z.number();
const offset = z.number().int().nonnegative();
const track = z.object({ dataSourceId: z.string(), trackId: z.string() });
const span = z.object({ from: finite, to: finite });

const segmentShape = z.object({
  partition: offset,
  asked: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("tracks"), tracks: z.array(track) }),
    z.object({ kind: z.literal("window"), from: finite, to: finite }),
    z.object({ kind: z.literal("offsets"), spans: z.array(span) }),
  ]),
  dataSourceIds: z.array(z.string()),
  log: z.enum(["topic", "history"]),
  begin: offset,
  end: offset,
  beginAt: finite,
  lastAt: finite,
  recorded: z.array(span),
  eventFrom: finite,
  eventTo: finite,
});

export const createVerification = (bounds: EventBounds): Verification => new Verification(bounds);

class Verification {
  readonly #bounds: EventBounds;
  readonly #segments: { readonly segment: Segment; readonly position: number }[] = [];
  readonly #dataSourceIds = new Set<string>();
  readonly #held = { segments: 0, zones: 0, catalog: 0 };
  #stage = 0;
  #offset = 0;
  #catalogAt: number | undefined;
  #end: { readonly event: StretchEnd; readonly position: number } | undefined;
  #records = 0;
  #messages = 0;
  #firstRecordedAt = Number.NaN;
  #lastRecordedAt = Number.NaN;
  #firstDetectionAt = Number.POSITIVE_INFINITY;
  /** The longest time by which a detection is later than its message. */
  #latestBy = Number.NEGATIVE_INFINITY;

  constructor(bounds: EventBounds) {
    this.#bounds = bounds;
  }

  take(record: StretchRecord, place: RecordPlace): void {
    const { kind, recordedAt } = record;
    const stage = STAGES[kind] as number | undefined;
    if (stage === undefined) throw this.#fault(record, "this version does not know its kind");
    const isInOrder = stage >= this.#stage || (kind === "segment" && this.#stage <= STAGES.message);
    if (this.#end !== undefined || !isInOrder) throw this.#fault(record, "it is not in its place");
    if (!Number.isSafeInteger(recordedAt)) throw this.#fault(record, "its time is no time");
    this.#stage = stage;
    if (kind === "segment") this.#takeSegment(record, place);
    else if (kind === "catalog") this.#takeCatalog(record, place);
    else if (kind === "end") this.#takeEnd(record, place);
    else this.#takeOfSegment(record, place);
    this.#records += 1;
  }

  end() {
    const end = this.#end;
    if (end === undefined) throw new DamagedFile("its end is missing");
    const facts: StretchFacts = {
      messages: this.#messages,
      records: this.#records,
      dataSourceIds: this.#dataSourceIds,
      firstRecordedAt: this.#firstRecordedAt,
      lastRecordedAt: this.#lastRecordedAt,
      firstDetectionAt: Number.isFinite(this.#firstDetectionAt) ? this.#firstDetectionAt : Number.NaN,
      aheadMs: this.#latestBy - (this.#firstDetectionAt - this.#firstRecordedAt),
    };
    return { segments: this.#segments, catalogAt: this.#catalogAt ?? end.position, facts };
  }

  #takeSegment(record: StretchRecord, { bytes, isFirst, block: { position } }: RecordPlace): void {
    this.#hold(record, "segments", bytes);
    if (record.event?.type !== "StretchSegment" || !isFirst) throw this.#fault(record, "it begins no segment");
    const parsed = segmentShape.safeParse(jsonOf(record.event.event.segment));
    if (!parsed.success) throw this.#fault(record, "its segment has a fault");
    const segment: Segment = parsed.data;
    if (segment.partition !== record.partition) throw this.#fault(record, "its segment is of another partition");
    for (const id of segment.dataSourceIds) this.#dataSourceIds.add(id);
    this.#segments.push({ segment, position });
    this.#held.zones = 0;
    this.#offset = 0;
  }

  #takeOfSegment(record: StretchRecord, { bytes }: RecordPlace): void {
    const { kind, partition, offset, event } = record;
    const segment = this.#segments.at(-1)?.segment;
    if (segment === undefined || segment.partition !== partition) throw this.#fault(record, "it is of no segment");
    if (kind === "zone") {
      this.#hold(record, "zones", bytes);
      if (event?.type !== "ZoneVersion") throw this.#fault(record, "it has no zone");
      const { zone } = event.event;
      if (zone !== null) this.#check(record, { type: "ZoneCreated", event: { zone } });
      return;
    }
    if (offset < this.#offset) throw this.#fault(record, `it follows offset ${this.#offset}`);
    this.#offset = offset;
    this.#sawTime(record.recordedAt);
    if (kind === "tick") {
      if (event !== null) throw this.#fault(record, "a tick has no event");
      return;
    }
    if (event === null || !isCameraLogType(event.type)) throw this.#fault(record, "it has no event of the camera-log");
    if (kind === "track" && event.type !== "TrackCreated") throw this.#fault(record, "it has no track");
    const message = event as CameraLogEvent;
    const dataSourceId = sourceOfMessage(message);
    if (dataSourceId !== undefined && !this.#dataSourceIds.has(dataSourceId)) {
      throw this.#fault(record, `its segment has no data source ${dataSourceId}`);
    }
    this.#check(record, message);
    if (kind === "message") this.#messages += 1;
  }

  #takeCatalog(record: StretchRecord, { bytes, isFirst, block: { position } }: RecordPlace): void {
    this.#hold(record, "catalog", bytes);
    const type = record.event?.type ?? "";
    if (!(catalogTypes as readonly string[]).includes(type))
      throw this.#fault(record, "it is no change of the catalog");
    if (this.#catalogAt === undefined && !isFirst) throw this.#fault(record, "the catalog begins within a block");
    this.#catalogAt ??= position;
  }

  #takeEnd(record: StretchRecord, { isOnly, block: { position, sha256Before } }: RecordPlace): void {
    if (record.event?.type !== "StretchEnd" || !isOnly) throw this.#fault(record, "it is no end");
    const { event } = record.event;
    if (event.sha256 !== sha256Before()) throw new DamagedFile("it is damaged: its checksum differs");
    if (event.messages !== this.#messages || event.records !== this.#records) {
      throw new DamagedFile(`it has ${this.#records} records, its end says ${event.records}`);
    }
    this.#end = { event, position };
  }

  #hold(record: StretchRecord, what: keyof typeof MAX_HELD_BYTES, bytes: number): void {
    this.#held[what] += bytes;
    if (this.#held[what] <= MAX_HELD_BYTES[what]) return;
    throw this.#fault(record, `its ${what} have more than ${MAX_HELD_BYTES[what]} bytes`);
  }

  #check(record: StretchRecord, message: CameraLogEvent): void {
    const { recordedAt } = record;
    const found = checkEvent(message, recordedAt, this.#bounds);
    if (found !== undefined) throw this.#fault(record, flawText(found));
    for (const detection of "detections" in message.event ? message.event.detections : []) {
      // The detections of other types were checked with their event.
      const isUnchecked = message.type === "DetectionsRecorded";
      const flaw = isUnchecked ? checkDetection(detection, recordedAt, this.#bounds) : undefined;
      if (flaw !== undefined) throw this.#fault(record, flawText(flaw));
      this.#firstDetectionAt = Math.min(this.#firstDetectionAt, detection.timestamp);
      this.#latestBy = Math.max(this.#latestBy, detection.timestamp - recordedAt);
    }
  }

  #sawTime(recordedAt: number): void {
    if (!(recordedAt >= this.#firstRecordedAt)) this.#firstRecordedAt = recordedAt;
    if (!(recordedAt <= this.#lastRecordedAt)) this.#lastRecordedAt = recordedAt;
  }

  #fault({ kind, partition, offset }: StretchRecord, reason: string): DamagedFile {
    const number = this.#records + 1;
    return new DamagedFile(`its record ${number} (${kind.slice(0, 20)} ${partition}/${offset}): ${reason}`);
  }
}

/** @returns undefined when the message concerns a whole partition. */
export function sourceOfMessage(message: CameraLogEvent): string | undefined {
  if (message.type === "GeofencesAdvanced") return undefined;
  return message.type === "ZoneCreated" ? message.event.zone.dataSourceId : message.event.dataSourceId;
}
