// The texts of a session's request and plan in Redis. Instances of this version and of the one before it may run the
// same sessions during an upgrade.
import { isAsRecorded } from "./selection.ts";
import type { ReplaySpec, Segment } from "./session.ts";

/** The request as the previous version has it. */
interface EarlierSpec extends Omit<ReplaySpec, "selection" | "zones" | "settings"> {
  readonly trackIds: readonly string[];
}

/**
 * The previous version replays the tracks of `trackIds`, whatever else the request says. It knows no track with this
 * name, so it ends the session as failed, and its reason for that contains the name.
 */
const NOT_FOR_EARLIER = "(this session needs a newer services/replay, create it again after the upgrade)";

export const storedSpec = (spec: ReplaySpec): string =>
  JSON.stringify({ ...spec, trackIds: earlierIds(spec) ?? [NOT_FOR_EARLIER] });

/** @returns undefined when the previous version cannot run the session. */
const earlierIds = ({ selection, zones, settings, subscription }: ReplaySpec): readonly string[] | undefined =>
  selection.kind === "tracks" && isAsRecorded(zones, settings) && subscription.webhookUrl !== ""
    ? selection.trackIds
    : undefined;

export function parseSpec(text: string): ReplaySpec {
  const { trackIds, ...spec }: EarlierSpec & Partial<ReplaySpec> = JSON.parse(text);
  const selection = spec.selection ?? { kind: "tracks", trackIds };
  return { ...spec, selection, zones: spec.zones ?? "then", settings: spec.settings ?? {} };
}

/** The fields in which earlier versions look for the asked tracks of a segment. */
interface EarlierSegment {
  readonly trackIds?: readonly string[];
  readonly tracks?: Extract<Segment["asked"], { readonly kind: "tracks" }>["tracks"];
}

/**
 * The plan of a session that earlier versions can run has the fields that they read; without them they would end the
 * session with nothing sent. In another plan these fields are missing: an earlier version makes the plan anew, and then
 * finds that the session is none of its own.
 */
export function storedPlan(plan: readonly Segment[], spec: ReplaySpec): string {
  const isForEarlier = earlierIds(spec) !== undefined;
  return JSON.stringify(plan.map((segment) => (isForEarlier ? readableBefore(segment) : segment)));
}

function readableBefore(segment: Segment): Segment & EarlierSegment {
  if (segment.asked.kind !== "tracks") return segment;
  const { tracks } = segment.asked;
  return { ...segment, tracks, trackIds: [...new Set(tracks.map(({ trackId }) => trackId))] };
}

/**
 * @returns undefined for a plan of an earlier version, whose segments could overlap or did not name the data sources of
 * tracks. Such a plan is made again.
 */
export function parsePlan(text: string): readonly Segment[] | undefined {
  const stored: readonly (Partial<Segment> & EarlierSegment)[] = JSON.parse(text);
  const segments = stored.map(({ tracks, trackIds: _, ...segment }) => ({
    ...segment,
    asked: segment.asked ?? (tracks && ({ kind: "tracks", tracks } as const)),
  }));
  return segments.every(isWhole) ? segments : undefined;
}

const isWhole = (segment: { readonly [K in keyof Segment]?: Segment[K] | undefined }): segment is Segment =>
  segment.recorded !== undefined && segment.asked !== undefined;
