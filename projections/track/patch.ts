// Applies an update to a track, for the live state, the feed, the history and the answer of the mutation.
import type { TrackUpdated } from "../../schemas/events.ts";
import type { TrackHeader } from "./header.ts";

/** The changes of an update. A field that the update does not mention is left out; null clears a field. */
export interface TrackPatch {
  tag?: string;
  startTime?: number;
  endTime?: TrackHeader["endTime"];
  properties?: TrackHeader["properties"];
  metadata?: TrackHeader["metadata"];
}

export type PatchField = keyof TrackPatch;

const patchFields = ["tag", "startTime", "endTime", "properties", "metadata"] as const satisfies PatchField[];

/** When an update both sets and clears a field, the value counts. */
export function patchOf({ tag, startTime, endTime, properties, metadata, cleared }: TrackUpdated): TrackPatch {
  const patch: TrackPatch = {};
  if (tag !== null) patch.tag = tag;
  if (startTime !== null) patch.startTime = startTime;
  if (endTime !== null || cleared.includes("endTime")) patch.endTime = endTime;
  if (properties !== null || cleared.includes("properties")) patch.properties = properties;
  if (metadata !== null || cleared.includes("metadata")) patch.metadata = metadata;
  return patch;
}

export const setFieldsOf = (patch: TrackPatch): PatchField[] =>
  patchFields.filter((field) => patch[field] !== undefined);

export const patchHeader = (header: TrackHeader, patch: TrackPatch): TrackHeader => ({ ...header, ...patch });
