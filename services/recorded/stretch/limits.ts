// The settings and bounds with which a file says that it was recorded. The fold of a file takes them, so a file without
// limits could make it take any memory.
import { MAX_REPLAY_REORDER_MS, MAX_REPLAY_TTL_S } from "../../../schemas/rest/replay-selection.ts";
import { DamagedFile } from "./container.ts";
import type { StretchMetadata } from "./metadata.ts";

/** The largest values that a file may have. */
export type StretchLimits = Pick<StretchMetadata, "settings" | "bounds">;

interface Limited {
  /** The variable with the value. */
  readonly name: string;
  readonly valueIn: (given: StretchLimits) => number;
  /** The value of 1 of the variable. */
  readonly factor?: number;
  /** A value that is allowed in any case. */
  readonly always?: number;
}

/** The first two are allowed as in sessions: most files then need no settings. */
const limited: readonly Limited[] = [
  { name: "TRACK_TTL", valueIn: ({ settings }) => settings.trackTtlMs, factor: 1_000, always: MAX_REPLAY_TTL_S },
  { name: "REORDER_MS", valueIn: ({ settings }) => settings.reorderMs, always: MAX_REPLAY_REORDER_MS },
  { name: "REMEMBERED_TRACKS", valueIn: ({ settings }) => settings.rememberedTracks },
  { name: "MAX_DATA_SOURCE_VERTICES", valueIn: ({ settings }) => settings.maxSourceVertices },
  { name: "MAX_DATA_SOURCE_VERTICES", valueIn: ({ bounds }) => bounds.maxDataSourceVertices },
  { name: "MAX_ZONE_VERTICES", valueIn: ({ bounds }) => bounds.maxZoneVertices },
  { name: "MAX_DETECTION_VERTICES", valueIn: ({ bounds }) => bounds.maxDetectionVertices },
  { name: "MAX_FUTURE_MS", valueIn: ({ bounds }) => bounds.maxFutureMs },
];

/** Throws DamagedFile when the file has a value above its limit. */
export function checkStretchLimits(given: StretchLimits, limits: StretchLimits): void {
  for (const { name, valueIn, factor = 1, always = 0 } of limited) {
    const value = valueIn(given) / factor;
    const most = Math.max(valueIn(limits) / factor, always);
    if (value <= most) continue;
    throw new DamagedFile(`it was recorded with ${name}=${value}, and ${most} is the limit here: set ${name}=${value}`);
  }
}
