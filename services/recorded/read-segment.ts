// The fold of a segment, and the events for it, from the stores.
import type { LiveSettings } from "../../projections/live/partition.ts";
import { asRecorded, type FoldRules, foldRulesOf, versionsOf } from "../../projections/replay/fold-rules.ts";
import { createSegmentFold, type SegmentFold } from "../../projections/replay/fold-segment.ts";
import type { ReplaySpec, Segment } from "../../projections/replay/session.ts";
import { type FindZonesDeps, type FoundZones, findPresentZones, findZones, type SegmentZones } from "./find-zones.ts";
import { type ReadHistoryDeps, readHistory } from "./read-history.ts";
import { type ReadEvent, type ReadTopicDeps, readTopic } from "./read-topic.ts";
import { readZoneVersions } from "./read-zones.ts";

/** The stores, and the settings with which the log was recorded. */
export interface RecordedStores extends ReadTopicDeps, FindZonesDeps, Omit<ReadHistoryDeps, "nextZone"> {}

export interface ReadDeps extends RecordedStores {
  /** The recorded settings, and the listener, which raises the signals. */
  readonly settings: LiveSettings;
}

export interface OpenSegment {
  readonly fold: SegmentFold;
  readonly events: AsyncGenerator<ReadEvent, void>;
}

/** Finds out what the segments of a plan need. Resolves with the function that opens each of them, once. */
export type PrepareSegments = (plan: readonly Segment[]) => Promise<(segment: Segment) => OpenSegment>;

/** The zones and settings of a session in place of the recorded ones. */
export type FoldChoice = Pick<ReplaySpec, "zones" | "settings">;

const AS_RECORDED: FoldChoice = { zones: "then", settings: {} };

export function storedSegments(deps: ReadDeps, choice = AS_RECORDED): PrepareSegments {
  const rules = foldRulesOf(choice.zones, choice.settings, deps.trackTtlMs);
  const settings = chosenSettings(deps.settings, choice);
  const reading = { ...deps, settings, trackTtlMs: Math.max(deps.trackTtlMs, settings.trackTtlMs) };
  return async (plan) => {
    const zones = await zonesFor(plan, choice.zones, reading);
    return (segment) => openSegment(segment, zones.take(segment), reading, rules);
  };
}

/** The settings of the fold. Those that a session does not choose are as recorded. */
export function chosenSettings(recorded: LiveSettings, { settings }: FoldChoice): LiveSettings {
  const { trackTtlMs, reorderMs, updateIntervalMs } = settings;
  return {
    ...recorded,
    trackTtlMs: trackTtlMs ?? recorded.trackTtlMs,
    reorderMs: reorderMs ?? recorded.reorderMs,
    updateIntervalMs: updateIntervalMs ?? recorded.updateIntervalMs,
  };
}

async function zonesFor(plan: readonly Segment[], zones: ReplaySpec["zones"], deps: ReadDeps): Promise<FoundZones> {
  if (zones === "then") return findZones(plan, deps);
  if (zones === "now") return findPresentZones(plan, deps);
  const changes = { ...deps.zones, begin: 0, end: 0 };
  return { take: ({ dataSourceIds }) => ({ before: versionsOf(zones, dataSourceIds), changes }) };
}

export function openSegment(
  segment: Segment,
  { before, changes }: SegmentZones,
  deps: ReadDeps,
  rules: FoldRules = asRecorded,
): OpenSegment {
  const fold = createSegmentFold(segment, before, deps.settings, rules);
  if (segment.log === "topic") return { fold, events: readTopic(segment, deps) };
  const versions = readZoneVersions(segment.dataSourceIds, deps, changes);
  const nextZone = async () => (await versions.next()).value;
  return { fold, events: readHistory(segment, { ...deps, nextZone }) };
}
