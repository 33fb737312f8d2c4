// The segments of a stretch file, for a replay without any store.
import { type Catalog, createCatalog } from "../../projections/catalog/catalog.ts";
import { createGeofences, type LiveListener, type LiveSettings } from "../../projections/live/partition.ts";
import { foldRulesOf, versionsOf } from "../../projections/replay/fold-rules.ts";
import { createSegmentFold } from "../../projections/replay/fold-segment.ts";
import type { ReplaySelection } from "../../projections/replay/selection.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { CameraLogEvent, CatalogEvent, ZoneVersion } from "../../schemas/events.ts";
import { SessionFailed } from "./failed.ts";
import { narrowedPlan } from "./narrowed-plan.ts";
import { chosenSettings, type FoldChoice, type PrepareSegments } from "./read-segment.ts";
import type { ReadEvent } from "./read-topic.ts";
import type { StretchLimits } from "./stretch/limits.ts";
import type { StretchMetadata } from "./stretch/metadata.ts";
import { openStretch, type SegmentPlace, type StretchFile } from "./stretch/read-stretch.ts";

export interface FileSegments {
  readonly metadata: StretchMetadata;
  /** Data sources of the file. */
  readonly dataSourceIds: ReadonlySet<string>;
  /** The catalog at the end of the stretch. */
  readonly catalog: Catalog;
  /**
   * Resolves with the plan of the file, or with that of a part of it. Rejects with SessionFailed when the selection is
   * not in the file.
   */
  plan(selection?: ReplaySelection): Promise<readonly Segment[]>;
  /** The settings are those that the file was recorded with, but for those of the choice. */
  prepare(choice: FoldChoice, listener: LiveListener | undefined): PrepareSegments;
  close(): Promise<void>;
}

/** Rejects with DamagedFile unless the file is whole and within the limits. The caller closes it. */
export async function fromFile(path: string, limits: StretchLimits): Promise<FileSegments> {
  const file = await openStretch(path, { limits });
  const { metadata } = file;
  try {
    const catalog = await catalogOf(file);
    return {
      metadata,
      dataSourceIds: file.facts.dataSourceIds,
      catalog,
      plan: (selection) => narrowedPlan(file, selection),
      prepare: (choice, listener) => preparedSegments(file, choice, settingsOf(metadata, listener)),
      close: file.close,
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

const settingsOf = ({ settings }: StretchMetadata, listener: LiveListener | undefined): LiveSettings => ({
  ...settings,
  geofences: createGeofences(),
  listener,
});

async function catalogOf(file: StretchFile): Promise<Catalog> {
  const catalog = createCatalog();
  for await (const { event, offset } of file.catalogRecords()) catalog.apply(event as CatalogEvent, offset);
  return catalog;
}

function preparedSegments(file: StretchFile, choice: FoldChoice, recorded: LiveSettings): PrepareSegments {
  const { zones } = choice;
  if (zones === "now") throw new SessionFailed("a file has no present zones: choose then, or zones of your own");
  const rules = foldRulesOf(zones, choice.settings, recorded.trackTtlMs);
  const settings = chosenSettings(recorded, choice);
  return async (plan) => {
    const beginnings = new Map<Segment, readonly ZoneVersion[]>();
    for (const segment of plan) {
      const ofThen = zones === "then" ? await zonesAtBegin(file, placeOf(file, segment)) : undefined;
      beginnings.set(segment, ofThen ?? versionsOf(zones === "then" ? [] : zones, segment.dataSourceIds));
    }
    return (segment) => {
      const before = beginnings.get(segment) ?? [];
      beginnings.delete(segment);
      const fold = createSegmentFold(segment, before, settings, rules);
      return { fold, events: eventsIn(file, placeOf(file, segment)) };
    };
  };
}

/** A narrowed segment begins where that of the file does. No two segments of a store begin at the same place. */
function placeOf({ segments, path }: StretchFile, { log, partition, begin, beginAt }: Segment): SegmentPlace {
  const found = segments.find(
    ({ segment }) =>
      segment.log === log && segment.partition === partition && segment.begin === begin && segment.beginAt === beginAt,
  );
  if (found === undefined) throw new SessionFailed(`${path} has no segment of partition ${partition} at ${begin}`);
  return found;
}

async function zonesAtBegin(file: StretchFile, place: SegmentPlace): Promise<ZoneVersion[]> {
  const found: ZoneVersion[] = [];
  for await (const { event } of file.segmentRecords(place)) {
    if (event?.type !== "ZoneVersion") break;
    found.push(event.event);
  }
  return found;
}

/** A tick is a message of a data source that the file does not have. Only its time counts. */
const TICK: CameraLogEvent = { type: "DetectionsRecorded", event: { dataSourceId: "", detections: [] } };

async function* eventsIn(file: StretchFile, place: SegmentPlace): AsyncGenerator<ReadEvent, void> {
  for await (const { kind, offset, recordedAt, event } of file.segmentRecords(place)) {
    if (kind === "zone" || event?.type === "GeofencesAdvanced") continue;
    yield { offset, recordedAt, message: kind === "tick" ? TICK : (event as CameraLogEvent) };
  }
}
