// The plan of a stretch file, or of a part of what the file was asked for.
import { isDeepStrictEqual } from "node:util";
import type { AskedSignals, TrackName } from "../../projections/replay/asked.ts";
import type { OffsetSpan, RangeSelection, ReplaySelection } from "../../projections/replay/selection.ts";
import type { Segment } from "../../projections/replay/session.ts";
import type { CameraLogEvent } from "../../schemas/events.ts";
import { SessionFailed } from "./failed.ts";
import type { StretchFile } from "./stretch/read-stretch.ts";
import { sourceOfMessage } from "./stretch/verification.ts";

/** Rejects with SessionFailed when the file was not asked for the whole selection. */
export async function narrowedPlan(file: StretchFile, selection?: ReplaySelection): Promise<readonly Segment[]> {
  const plan = file.segments.map(({ segment }) => segment);
  if (selection === undefined || isDeepStrictEqual(selection, file.metadata.asked)) return plan;
  const narrowed = await narrow(file, plan, selection);
  if (narrowed.length === 0) throw notInFile(file, "none of the selection");
  return narrowed;
}

function narrow(file: StretchFile, plan: readonly Segment[], selection: ReplaySelection) {
  switch (selection.kind) {
    case "range":
      return toWindow(file, plan, selection);
    case "offsets":
      return toSpans(file, plan, selection.spans);
    case "tracks":
      return toTracks(file, plan, new Set(selection.trackIds));
    default:
      return selection satisfies never;
  }
}

const notInFile = ({ path, metadata }: StretchFile, what: string): SessionFailed =>
  new SessionFailed(`${path} has ${what}: it was exported with ${JSON.stringify(metadata.asked)}`);

function toWindow(file: StretchFile, plan: readonly Segment[], { dataSourceIds, from, to }: RangeSelection): Segment[] {
  const absent = dataSourceIds.find((id) => !file.facts.dataSourceIds.has(id));
  if (absent !== undefined) throw notInFile(file, `no data source ${absent}`);
  return plan.flatMap((segment) => {
    const { asked } = segment;
    const own = segment.dataSourceIds.filter((id) => dataSourceIds.includes(id));
    if (own.length === 0) return [];
    if (asked.kind !== "window" || from < asked.from || to > asked.to) throw notInFile(file, "not the whole range");
    return [{ ...segment, asked: { kind: "window", from, to } satisfies AskedSignals, dataSourceIds: own }];
  });
}

function toSpans(file: StretchFile, plan: readonly Segment[], spans: readonly OffsetSpan[]): Segment[] {
  const narrowed = plan.flatMap((segment) => {
    const { asked, partition } = segment;
    if (asked.kind !== "offsets") return [];
    const own = spans.filter(
      (span) => span.partition === partition && asked.spans.some((whole) => isWithin(span, whole)),
    );
    return own.length === 0 ? [] : [{ ...segment, asked: { kind: "offsets", spans: own } satisfies AskedSignals }];
  });
  const found = narrowed.reduce((sum, { asked }) => sum + asked.spans.length, 0);
  if (found !== spans.length) throw notInFile(file, "not all of these offsets");
  return narrowed;
}

const isWithin = (inner: Omit<OffsetSpan, "partition">, outer: Omit<OffsetSpan, "partition">): boolean =>
  outer.from <= inner.from && inner.to <= outer.to;

async function toTracks(file: StretchFile, plan: readonly Segment[], ids: ReadonlySet<string>): Promise<Segment[]> {
  const found = new Set<string>();
  const narrowed: Segment[] = [];
  for (const segment of plan) {
    const tracks = await tracksIn(file, segment, ids);
    for (const { trackId } of tracks) found.add(trackId);
    if (tracks.length > 0) narrowed.push({ ...segment, asked: { kind: "tracks", tracks } });
  }
  const absent = [...ids].filter((id) => !found.has(id));
  if (absent.length > 0) throw notInFile(file, `no track ${absent.slice(0, 5).join(", ")}`);
  return narrowed;
}

/** A file of tracks has only these. One of a range or of offsets is searched. */
async function tracksIn(file: StretchFile, segment: Segment, ids: ReadonlySet<string>): Promise<readonly TrackName[]> {
  const { asked } = segment;
  if (asked.kind === "tracks") return asked.tracks.filter(({ trackId }) => ids.has(trackId));
  const place = file.segments.find((each) => each.segment === segment);
  const found = new Map<string, TrackName>();
  for await (const { event } of place === undefined ? [] : file.segmentRecords(place)) {
    if (event === null || event.type === "ZoneVersion") continue;
    const message = event as CameraLogEvent;
    for (const trackId of trackIdsIn(message)) {
      const dataSourceId = sourceOfMessage(message) ?? "";
      if (ids.has(trackId)) found.set(`${dataSourceId} ${trackId}`, { dataSourceId, trackId });
    }
  }
  return [...found.values()];
}

function trackIdsIn({ event }: CameraLogEvent): string[] {
  const ids = "trackId" in event ? [event.trackId] : [];
  if ("detections" in event) for (const { trackId } of event.detections) ids.push(trackId);
  return ids;
}
