// The zones and settings with which a segment is folded, where they are not those of the log.
import type { CameraLogEvent, Zone, ZoneVersion } from "../../schemas/events.ts";
import type { ReplaySettings, ReplayZones } from "./selection.ts";

export interface FoldRules {
  /** False when the zones given at the beginning remain, whatever the log says of zones. */
  readonly followsZones: boolean;
  /** False when the fold lets tracks expire by its own time to live, and not when the log says so. */
  readonly followsExpiries: boolean;
  /** Replaces members of all zones. */
  readonly ofZones: Partial<Pick<Zone, "exitDelayMs" | "enterDetections">>;
}

export const asRecorded: FoldRules = { followsZones: true, followsExpiries: true, ofZones: {} };

/** `recordedTtlMs` is the time to live of the state machine that wrote the expiries in the log. */
export function foldRulesOf(zones: ReplayZones, settings: ReplaySettings, recordedTtlMs: number): FoldRules {
  const { trackTtlMs, exitDelayMs, enterDetections } = settings;
  return {
    followsZones: zones === "then",
    followsExpiries: trackTtlMs === undefined || trackTtlMs === recordedTtlMs,
    ofZones: {
      ...(exitDelayMs === undefined ? {} : { exitDelayMs }),
      ...(enterDetections === undefined ? {} : { enterDetections }),
    },
  };
}

/** @returns false when the message counts only for the clock of the log. */
export function isFollowed({ type }: CameraLogEvent, { followsZones, followsExpiries }: FoldRules): boolean {
  if (type === "TrackExpired") return followsExpiries;
  return followsZones || (type !== "ZoneCreated" && type !== "ZoneUpdated" && type !== "ZoneDeleted");
}

export function withZoneSettings(message: CameraLogEvent, { ofZones }: FoldRules): CameraLogEvent {
  switch (message.type) {
    case "ZoneCreated":
      return { ...message, event: { zone: { ...message.event.zone, ...ofZones } } };
    case "ZoneUpdated":
      return { ...message, event: { ...message.event, set: { ...message.event.set, ...ofZones } } };
    default:
      return message;
  }
}

export const versionsWith = (versions: readonly ZoneVersion[], { ofZones }: FoldRules): ZoneVersion[] =>
  versions.map((version) => ({ ...version, zone: version.zone && { ...version.zone, ...ofZones } }));

/** Versions of zones that apply from the beginning. */
export const versionsOf = (zones: readonly Zone[], dataSourceIds: readonly string[]): ZoneVersion[] =>
  zones
    .filter(({ dataSourceId }) => dataSourceIds.includes(dataSourceId))
    .map((zone) => {
      const { zoneId, dataSourceId } = zone;
      return { zoneId, dataSourceId, zone, movedTo: null, refusal: null, partition: 0, offset: -1 };
    });
