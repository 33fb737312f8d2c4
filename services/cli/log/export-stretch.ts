// Takes a stretch of the log home: the segments of a plan as a replay would read them, and the changes of the catalog
// that they refer to. Memory holds one portion of the log and one block of the file.
import { createGeofences } from "../../../projections/live/partition.ts";
import type { ReplaySelection } from "../../../projections/replay/selection.ts";
import type { Segment } from "../../../projections/replay/session.ts";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import { FOLD_VERSION } from "../../../schemas/fold-version.ts";
import type { foldSettings } from "../../common/fold-config.ts";
import { findZones } from "../../recorded/find-zones.ts";
import type { LogStretch } from "../../recorded/read-messages.ts";
import { openSegment, type RecordedStores } from "../../recorded/read-segment.ts";
import type { ReadEvent } from "../../recorded/read-topic.ts";
import type { ContainerCodec } from "../../recorded/stretch/container.ts";
import { STRETCH_FORMAT, type StretchMetadata } from "../../recorded/stretch/metadata.ts";
import { toHeaders } from "../../recorded/stretch/schema.ts";
import { sourceOfMessage } from "../../recorded/stretch/verification.ts";
import { createStretchWriter, type StretchWriter } from "../../recorded/stretch/write-stretch.ts";
import { writeCatalog } from "./export-catalog.ts";

export interface ExportDeps {
  readonly makePlan: (selection: ReplaySelection) => Promise<readonly Segment[]>;
  /** Must be called after the plan is made. */
  readonly stores: () => Promise<RecordedStores>;
  /** Resolves with the range of the catalog. */
  readonly catalog: () => Promise<LogStretch>;
  /** Number of partitions of the camera-log. */
  readonly partitions: number;
  readonly settings: ReturnType<typeof foldSettings>;
  readonly namespace: string;
  /** Version of tracklog. */
  readonly version: string;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

export interface ExportOptions {
  readonly selection: ReplaySelection;
  readonly out: string;
  readonly codec: ContainerCodec;
  readonly replaces: boolean;
}

export interface Exported {
  readonly segments: number;
  readonly messages: number;
  readonly dataSources: number;
  readonly bytes: number;
  readonly ms: number;
}

/** Rejects, and leaves no file behind, when a part of the stretch cannot be read. */
export async function exportStretch(options: ExportOptions, deps: ExportDeps): Promise<Exported> {
  const startedAt = performance.now();
  const exportedAt = deps.now();
  const plan = await deps.makePlan(options.selection);
  const stores = await deps.stores();
  const metadata = metadataOf(exportedAt, options, stores, deps);
  const { out, codec, replaces } = options;
  const writer = await createStretchWriter(out, { metadata, codec, replaces });
  try {
    const written = await writeSegments(plan, { ...deps, writer, stores });
    await writer.beginCatalog();
    await writeCatalog(written, { writer, stores, range: await deps.catalog() });
    const bytes = await writer.finish();
    const { messages, dataSourceIds } = written;
    const ms = performance.now() - startedAt;
    return { segments: plan.length, messages, dataSources: dataSourceIds.size, bytes, ms };
  } finally {
    await writer.abandon();
  }
}

function metadataOf(
  exportedAt: number,
  { selection }: ExportOptions,
  { logId, bounds }: RecordedStores,
  { settings, namespace, version, partitions }: ExportDeps,
): StretchMetadata {
  const { maxFutureMs, maxDetectionVertices, maxZoneVertices, maxDataSourceVertices } = bounds;
  return {
    format: STRETCH_FORMAT,
    version,
    foldVersion: FOLD_VERSION,
    namespace,
    logId,
    partitions,
    exportedAt: new Date(exportedAt).toISOString(),
    asked: selection,
    settings,
    bounds: { maxFutureMs, maxDetectionVertices, maxZoneVertices, maxDataSourceVertices },
  };
}

/** The parts of the written segments that the catalog has more about. */
export interface Written {
  readonly dataSourceIds: Set<string>;
  /** Lower-case names. */
  readonly tags: Set<string>;
  messages: number;
  /** Broker time of the last message, ms. */
  lastRecordedAt: number;
}

/** A sender may invent tags without end; the catalog has only those that the API wrote. */
const MOST_TAGS = 100_000;

interface WritingDeps extends Pick<ExportDeps, "settings" | "signal"> {
  readonly writer: StretchWriter;
  readonly stores: RecordedStores;
}

async function writeSegments(plan: readonly Segment[], deps: WritingDeps): Promise<Written> {
  const dataSourceIds = new Set(plan.flatMap((segment) => segment.dataSourceIds));
  const written: Written = {
    dataSourceIds,
    tags: new Set(),
    messages: 0,
    lastRecordedAt: Number.NEGATIVE_INFINITY,
  };
  const settings = { ...deps.settings, geofences: createGeofences(), listener: undefined };
  const reading = { ...deps.stores, settings, keepsGeofences: true };
  const zones = await findZones(plan, reading);
  for (const segment of plan) {
    await deps.writer.beginSegment(segment);
    const ofSegment = zones.take(segment);
    for (const version of ofSegment.before) {
      const { partition, beginAt: recordedAt } = segment;
      const event = { type: "ZoneVersion", event: version } as const;
      await deps.writer.add({ ...plain, kind: "zone", partition, offset: version.offset, recordedAt, event });
    }
    const { fold, events } = openSegment(segment, ofSegment, reading);
    try {
      await writeEvents(segment, { fold, events }, written, deps);
    } finally {
      await events.return();
    }
  }
  return written;
}

const plain = { key: null, headers: [] };

/** Folds the events as a replay does, because the fold knows where the segment ends. */
async function writeEvents(
  segment: Segment,
  { fold, events }: ReturnType<typeof openSegment>,
  written: Written,
  { writer, signal }: WritingDeps,
): Promise<void> {
  const sources = new Set(segment.dataSourceIds);
  let tickedAt = Number.NEGATIVE_INFINITY;
  while (!fold.isOver()) {
    signal.throwIfAborted();
    const { value } = await events.next();
    if (value === undefined) return;
    const kind = kindOf(value, sources);
    // The fold needs only the first of other messages that were recorded within a millisecond.
    if (kind !== "tick" || value.recordedAt !== tickedAt) {
      const full = writer.add(recordOf(kind, segment, value));
      if (full !== undefined) await full;
      tickedAt = value.recordedAt;
      note(kind, value, written);
    }
    if (value.message.type !== "GeofencesAdvanced") fold.fold(value);
  }
}

function kindOf({ message, source }: ReadEvent, sources: ReadonlySet<string>): "message" | "track" | "tick" {
  const dataSourceId = sourceOfMessage(message);
  if (dataSourceId !== undefined && !sources.has(dataSourceId)) return "tick";
  return source === "before" ? "track" : "message";
}

function recordOf(kind: "message" | "track" | "tick", { partition }: Segment, event: ReadEvent) {
  const { offset, recordedAt, message, source } = event;
  const place = { kind, partition, offset, recordedAt };
  if (kind === "tick") return { ...plain, ...place, event: null };
  if (typeof source !== "object") return { ...plain, ...place, event: message };
  return { ...place, key: source.key, headers: toHeaders(source.headers), event: message };
}

function note(kind: "message" | "track" | "tick", { message, recordedAt }: ReadEvent, written: Written): void {
  written.lastRecordedAt = Math.max(written.lastRecordedAt, recordedAt);
  if (kind === "message") written.messages += 1;
  const tag = kind === "tick" ? null : tagIn(message);
  if (tag !== null && written.tags.size < MOST_TAGS) written.tags.add(tag.toLowerCase());
}

const tagIn = ({ event }: CameraLogEvent): string | null => ("tag" in event ? event.tag : null);
