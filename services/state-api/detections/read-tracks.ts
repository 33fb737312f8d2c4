// Finds tracks with their detections: among the kept tracks, or else on the GraphQL server.

import { nearest, neighbours } from "../../../projections/snapshot/spot.ts";
import { HOUR_MS } from "../../../schemas/units.ts";
import type { Log } from "../../common/log.ts";
import { Problem } from "../http/problem.ts";
import { type AskTracks, askClosest, askTracks } from "./ask-tracks.ts";
import type { KeptTrack, KeptTracks } from "./kept-tracks.ts";
import {
  type CoveredStretch,
  covers,
  type DetectionRange,
  joined,
  type RecordedTrack,
  type TimeStretch,
} from "./recorded-track.ts";

/** Source of the tracks of one request. */
export interface TrackSource extends AskTracks {
  /** Requests with the same scope may read each other's tracks. */
  readonly scope: string;
  /** True for our own tracks: live state has only those. */
  readonly isOwn: boolean;
}

/** State of a track in live state. */
export interface LiveMark {
  readonly dataSourceId: string;
  readonly isLive: boolean;
  /** Time of its newest detection, ms. */
  readonly lastSeen: number;
  /** Changes with every folded detection. */
  readonly mark: string;
}

export interface ReadTracksOptions {
  readonly kept: KeptTracks;
  /** Reads the marks of those tracks that live state has. */
  readonly live: (trackIds: readonly string[]) => Promise<ReadonlyMap<string, LiveMark>>;
  readonly log: Log;
  readonly now: () => number;
}

export interface ReadTracks {
  /** Resolves with the tracks by id; unknown ones are left out. */
  tracks(wanted: readonly DetectionRange[], source: TrackSource): Promise<ReadonlyMap<string, RecordedTrack>>;
  /**
   * Resolves with the detections on both sides of the instant.
   * @returns undefined when the track is unknown.
   */
  closest(trackId: string, at: number, source: TrackSource): Promise<RecordedTrack | undefined>;
}

/** Live state keeps an ended track at least this long, and so shows whether it has continued. */
const REMEMBERED_MS = HOUR_MS;
/** For a track with more detections, only the newest answer is kept. */
const MAX_SPOTS = 2_500;
/**
 * Milliseconds within which the history, its intersections and live state have a detection, unless one of them lags.
 */
const SETTLE_MS = 5_000;

export function createReadTracks(options: ReadTracksOptions): ReadTracks {
  return {
    async tracks(wanted, source) {
      const ids = wanted.map(({ trackId }) => trackId);
      const before = await known(options, ids, source);
      const found = new Map<string, RecordedTrack>();
      const missing: DetectionRange[] = [];
      for (const each of wanted) {
        const track = fresh(options, before, each.trackId, each);
        if (track === undefined) missing.push(each);
        else found.set(each.trackId, track);
      }
      if (missing.length === 0) return found;
      const asked = await unlessAway(
        async () => {
          const tracks = await askTracks(missing, source);
          await keep(options, tracks, before, source);
          return tracks;
        },
        () => {
          const tracks = missing.flatMap((each) => unsettled(before, each.trackId, each) ?? []);
          return tracks.length === missing.length ? tracks : undefined;
        },
      );
      for (const track of asked) found.set(track.trackId, track);
      return found;
    },

    async closest(trackId, at, source) {
      const before = await known(options, [trackId], source);
      const track = before.tracks?.get(trackId);
      const spot = track && nearest(neighbours(track.spots, at), at);
      // A nearer detection can only be within this distance of the instant, so the kept track suffices when it covers
      // that time.
      const reach = spot === undefined ? 0 : Math.abs(spot.at - at);
      const stretch = { from: at - reach, to: at + reach };
      const enough = spot && fresh(options, before, trackId, stretch);
      if (enough !== undefined) return enough;
      return unlessAway(
        async () => {
          const asked = await askClosest(trackId, at, source);
          if (asked !== undefined) await keep(options, [asked], before, source);
          return asked;
        },
        () => spot && unsettled(before, trackId, stretch),
      );
    },
  };
}

async function known(options: ReadTracksOptions, trackIds: readonly string[], { scope, isOwn }: TrackSource) {
  const [tracks, marks] = await Promise.all([
    orNothing(options, "kept tracks", options.kept.read(scope, trackIds)),
    isOwn ? orNothing(options, "live state", options.live(trackIds)) : new Map<string, LiveMark>(),
  ]);
  return { tracks: marks === undefined ? undefined : tracks, marks };
}

/** Redis only saves queries. When it fails, the GraphQL server is queried. */
async function orNothing<Value>(options: ReadTracksOptions, what: string, lookUp: Promise<ReadonlyMap<string, Value>>) {
  try {
    return await lookUp;
  } catch (error) {
    options.log.warn({ err: error, what }, "redis was not asked");
    return undefined;
  }
}

/** Returns the kept track if it covers the time range, and no detection can have been added there since. */
function fresh(
  options: ReadTracksOptions,
  { tracks, marks }: Known,
  trackId: string,
  stretch: TimeStretch,
): KeptTrack | undefined {
  const track = tracks?.get(trackId);
  const covered = track?.covered.find((each) => covers(each, stretch));
  if (track === undefined || covered === undefined || !track.isSettled) return undefined;
  return isFresh(options, track, { ...stretch, askedAt: covered.askedAt }, marks?.get(trackId)) ? track : undefined;
}

function isFresh(
  options: ReadTracksOptions,
  { mark, endTime }: KeptTrack,
  { to, askedAt }: CoveredStretch,
  present: LiveMark | undefined,
): boolean {
  if (present !== undefined) return !present.isLive && present.mark === mark;
  return (endTime !== null && to <= endTime) || options.now() - askedAt < REMEMBERED_MS;
}

/**
 * Returns a track that was kept right after it was recorded: better than no answer while the server is unavailable.
 */
function unsettled({ tracks, marks }: Known, trackId: string, stretch: TimeStretch): KeptTrack | undefined {
  const track = tracks?.get(trackId);
  const isCovered = track?.covered.some((each) => covers(each, stretch)) === true && !track.isSettled;
  const present = marks?.get(trackId);
  return isCovered && present?.isLive !== true && !isOfAnother(present, track) ? track : undefined;
}

/** Keeps no track that may continue, and none whose detections the history does not have yet. */
async function keep(
  options: ReadTracksOptions,
  found: readonly RecordedTrack[],
  { tracks, marks }: Known,
  { scope }: TrackSource,
) {
  if (tracks === undefined) return;
  const ended = found.filter((track) => {
    const { trackId, endTime, covered, spots } = track;
    const present = marks?.get(trackId);
    const lastSeen = present?.lastSeen ?? Number.NaN;
    const lacksLast =
      covered.some(({ from, to }) => from <= lastSeen && lastSeen <= to) && !spots.some(({ at }) => at === lastSeen);
    const isOver = endTime !== null && endTime <= options.now() && present?.isLive !== true;
    return isOver && spots.length > 0 && !lacksLast && !isOfAnother(present, track);
  });
  const toKeep = ended.map((track): KeptTrack => {
    const present = marks?.get(track.trackId);
    const earlier = tracks.get(track.trackId);
    const before = earlier?.dataSourceId === track.dataSourceId ? earlier : undefined;
    const covered = before?.covered.filter((each) => isFresh(options, before, each, present)) ?? [];
    const both = before === undefined ? track : joined({ ...before, covered }, track);
    const recordedAt = Math.max(...track.spots.map((spot) => spot.recordedAt ?? 0));
    const isSettled = track.askedAt - recordedAt >= SETTLE_MS;
    return { ...(both.spots.length > MAX_SPOTS ? track : both), mark: present?.mark ?? null, isSettled };
  });
  await options.kept.write(scope, toKeep).catch((error) => options.log.warn({ err: error }, "tracks were not kept"));
}

type Known = Awaited<ReturnType<typeof known>>;

/** `instead` returns undefined when there is no substitute. */
async function unlessAway<Value>(ask: () => Promise<Value>, instead: () => Value | undefined): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    const found = error instanceof Problem && error.kind === "upstream" ? instead() : undefined;
    if (found === undefined) throw error;
    return found;
  }
}

/** @returns true when live state has another data source's track under this id. */
const isOfAnother = (present: LiveMark | undefined, { dataSourceId }: RecordedTrack): boolean =>
  present !== undefined && dataSourceId !== null && present.dataSourceId !== dataSourceId;
