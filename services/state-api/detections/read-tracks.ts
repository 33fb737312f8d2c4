// Finds tracks with their detections: in what was kept, else at the GraphQL server.

import { nearest, neighbours } from "../../../projections/snapshot/spot.ts";
import type { Log } from "../../common/log.ts";
import { Problem } from "../http/problem.ts";
import { type AskTracks, askClosest, askTracks } from "./ask-tracks.ts";
import type { KeptTrack, KeptTracks } from "./kept-tracks.ts";
import { type Covered, contains, joined, type RecordedTrack, type Stretch, type Wanted } from "./recorded-track.ts";

/** Where the tracks of one request come from. */
export interface TrackSource extends AskTracks {
  /** Requests with the same one may read each other's tracks. */
  readonly scope: string;
  /** Live state is that of our own tracks. */
  readonly isOwn: boolean;
}

/** What live state knows of a track. */
export interface LiveMark {
  readonly isLive: boolean;
  /** Its newest detection, ms. */
  readonly lastSeen: number;
  /** Another one when a detection was folded since. */
  readonly mark: string;
}

export interface ReadTracksOptions {
  readonly kept: KeptTracks;
  /** Of the tracks that live state has. */
  readonly live: (trackIds: readonly string[]) => Promise<ReadonlyMap<string, LiveMark>>;
  readonly log: Log;
  readonly now: () => number;
}

export interface ReadTracks {
  /** By id; those that are not known are left out. */
  tracks(wanted: readonly Wanted[], source: TrackSource): Promise<ReadonlyMap<string, RecordedTrack>>;
  /** With the detections on both sides of the instant; undefined = not known. */
  closest(trackId: string, at: number, source: TrackSource): Promise<RecordedTrack | undefined>;
}

/** Live state keeps an ended track at least this long, and so shows whether it has gone on. */
const REMEMBERED_MS = 3_600_000;
/** A track with more keeps the newest answer only. */
const MAX_SPOTS = 2_500;
/** The history, its intersections and live state hear of a detection within this time, unless one of them is behind. */
const SETTLE_MS = 5_000;

export function createReadTracks({ kept, live, log, now }: ReadTracksOptions): ReadTracks {
  /** Redis makes answers quick; without it the server is asked. */
  async function orNothing<Value>(what: string, lookUp: Promise<ReadonlyMap<string, Value>>) {
    try {
      return await lookUp;
    } catch (error) {
      log.warn({ err: error, what }, "redis was not asked");
      return undefined;
    }
  }

  async function known(trackIds: readonly string[], { scope, isOwn }: TrackSource) {
    const [tracks, marks] = await Promise.all([
      orNothing("kept tracks", kept.read(scope, trackIds)),
      isOwn ? orNothing("live state", live(trackIds)) : new Map<string, LiveMark>(),
    ]);
    return { tracks: marks === undefined ? undefined : tracks, marks };
  }

  type Known = Awaited<ReturnType<typeof known>>;

  /** The track as it was kept, if nothing can have come since in this stretch. */
  function fresh({ tracks, marks }: Known, trackId: string, stretch: Stretch): KeptTrack | undefined {
    const track = tracks?.get(trackId);
    const covered = track?.covered.find((each) => contains(each, stretch));
    if (track === undefined || covered === undefined || !track.isSettled) return undefined;
    return isFresh(track, { ...stretch, askedAt: covered.askedAt }, marks?.get(trackId)) ? track : undefined;
  }

  /** The track as it was kept a moment after it was recorded: better than no answer, as long as the server is away. */
  function unsettled({ tracks, marks }: Known, trackId: string, stretch: Stretch): KeptTrack | undefined {
    const track = tracks?.get(trackId);
    const isCovered = track?.covered.some((each) => contains(each, stretch)) === true && !track.isSettled;
    return isCovered && marks?.get(trackId)?.isLive !== true ? track : undefined;
  }

  function isFresh({ mark, endTime }: KeptTrack, { to, askedAt }: Covered, present: LiveMark | undefined): boolean {
    if (present !== undefined) return !present.isLive && present.mark === mark;
    return (endTime !== null && to <= endTime) || now() - askedAt < REMEMBERED_MS;
  }

  /** A track that may go on is not kept, nor one whose detections the history does not have yet. */
  async function keep(found: readonly RecordedTrack[], { tracks, marks }: Known, { scope }: TrackSource) {
    if (tracks === undefined) return;
    const ended = found.filter(({ trackId, endTime, covered, spots }) => {
      const present = marks?.get(trackId);
      const lastSeen = present?.lastSeen ?? Number.NaN;
      const lacksLast =
        covered.some(({ from, to }) => from <= lastSeen && lastSeen <= to) && !spots.some(({ at }) => at === lastSeen);
      const isOver = endTime !== null && endTime <= now() && present?.isLive !== true;
      return isOver && spots.length > 0 && !lacksLast;
    });
    const toKeep = ended.map((track): KeptTrack => {
      const present = marks?.get(track.trackId);
      const before = tracks.get(track.trackId);
      const covered = before?.covered.filter((each) => isFresh(before, each, present)) ?? [];
      const both = before === undefined ? track : joined({ ...before, covered }, track);
      const recordedAt = Math.max(...track.spots.map((spot) => spot.recordedAt ?? 0));
      const isSettled = track.askedAt - recordedAt >= SETTLE_MS;
      return { ...(both.spots.length > MAX_SPOTS ? track : both), mark: present?.mark ?? null, isSettled };
    });
    await kept.write(scope, toKeep).catch((error) => log.warn({ err: error }, "tracks were not kept"));
  }

  return {
    async tracks(wanted, source) {
      const before = await known(
        wanted.map(({ trackId }) => trackId),
        source,
      );
      const found = new Map<string, RecordedTrack>();
      const missing: Wanted[] = [];
      for (const each of wanted) {
        const track = fresh(before, each.trackId, each);
        if (track === undefined) missing.push(each);
        else found.set(each.trackId, track);
      }
      if (missing.length === 0) return found;
      const asked = await unlessAway(
        async () => {
          const tracks = await askTracks(missing, source);
          await keep(tracks, before, source);
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
      const before = await known([trackId], source);
      const track = before.tracks?.get(trackId);
      const spot = track && nearest(neighbours(track.spots, at), at);
      // No detection that is not covered can be nearer.
      const reach = spot === undefined ? 0 : Math.abs(spot.at - at);
      const stretch = { from: at - reach, to: at + reach };
      const enough = spot && fresh(before, trackId, stretch);
      if (enough !== undefined) return enough;
      return unlessAway(
        async () => {
          const asked = await askClosest(trackId, at, source);
          if (asked !== undefined) await keep([asked], before, source);
          return asked;
        },
        () => spot && unsettled(before, trackId, stretch),
      );
    },
  };
}

/** `instead`: undefined = there is nothing instead. */
async function unlessAway<Value>(ask: () => Promise<Value>, instead: () => Value | undefined): Promise<Value> {
  try {
    return await ask();
  } catch (error) {
    const found = error instanceof Problem && error.kind === "upstream" ? instead() : undefined;
    if (found === undefined) throw error;
    return found;
  }
}
