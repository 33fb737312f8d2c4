// Which tracks are due to expire. This only asks: the answer is written to the log and takes effect when it comes back.
import type { TrackEnded } from "../../schemas/events.ts";
import { newestHeld } from "./hold.ts";
import type { PartitionState, Source, Track } from "./state.ts";
import type { LiveSettings } from "./types.ts";

type Expiry = Pick<TrackEnded, "trackId" | "dataSourceId" | "endTime">;

/** When and on what ground it is asked. */
export interface ExpiryQuestion {
  readonly wallNowMs: number;
  /** Everything that the log held at `wallNowMs` has been folded. */
  readonly caughtUp: boolean;
  /** Camera-log offset up to which, exclusive, `state` has been folded. */
  readonly readUpTo: number;
}

/**
 * Tracks without a detection for longer than the time to live, by the clock of their data source (less the reorder time:
 * until then an older detection may still come), or by the wall clock when the source itself has been silent that long.
 * What the log holds unread may be detections: until they are folded the wall clock proves no silence.
 * A track is given once per end time; again after a restart.
 */
export function dueExpiries(
  state: PartitionState,
  { wallNowMs, caughtUp, readUpTo }: ExpiryQuestion,
  settings: LiveSettings,
): TrackEnded[] {
  const due: Expiry[] = [];
  for (const source of state.sources.values()) {
    const silent = caughtUp && isSilent(source, wallNowMs, settings);
    if (silent) askSilent(state, source, due);
    else if (source.clock - settings.reorderMs > source.nextDue) askByClock(source, settings, due);
  }
  return due
    .sort((a, b) => a.endTime - b.endTime || (a.trackId < b.trackId ? -1 : 1))
    .map((expiry) => ({ ...expiry, reason: "expired", readUpTo }));
}

/** Whether `dueExpiries` would give more if everything had been folded. Changes nothing. */
export function hasSilent(state: PartitionState, wallNowMs: number, settings: LiveSettings): boolean {
  for (const source of state.sources.values()) {
    if (!isSilent(source, wallNowMs, settings)) continue;
    for (const [trackId, at] of endsOf(state, source)) if (source.pendingEnds.get(trackId) !== at) return true;
  }
  return false;
}

const isSilent = ({ recordedAt }: Source, wallNowMs: number, { trackTtlMs }: LiveSettings): boolean =>
  wallNowMs - recordedAt >= trackTtlMs;

function askSilent(state: PartitionState, source: Source, due: Expiry[]): void {
  for (const [trackId, at] of endsOf(state, source)) ask(source, trackId, at, due);
}

/** Every track that a silent source has, with its end. */
function* endsOf(state: PartitionState, source: Source): Generator<[trackId: string, endTime: number]> {
  if (source.live.size === 0 && source.held.length === 0) return;
  const held = newestHeld(source);
  for (const track of source.live) yield [track.trackId, newestOf(track, held)];
  // Held for a track that is not live: the end makes the log release it.
  for (const [trackId, at] of held) if (state.tracks.get(trackId)?.phase !== "live") yield [trackId, at];
}

function askByClock(source: Source, settings: LiveSettings, due: Expiry[]): void {
  const held = newestHeld(source);
  const clock = source.clock - settings.reorderMs;
  let nextDue = Number.POSITIVE_INFINITY;
  for (const track of source.live) {
    const newest = newestOf(track, held);
    // The clock was set back behind the track: it would live until the clock has caught up, so broker time decides.
    const stranded = newest > source.clock && source.recordedAt - track.recordedAt > settings.trackTtlMs;
    if (stranded || clock - newest > settings.trackTtlMs) ask(source, track.trackId, newest, due);
    nextDue = newest > source.clock ? Number.NEGATIVE_INFINITY : Math.min(nextDue, newest + settings.trackTtlMs);
  }
  source.nextDue = nextDue;
}

function ask(source: Source, trackId: string, endTime: number, due: Expiry[]): void {
  if (source.pendingEnds.get(trackId) === endTime) return;
  source.pendingEnds.set(trackId, endTime);
  due.push({ trackId, dataSourceId: source.dataSourceId, endTime });
}

function newestOf(track: Track, held: ReadonlyMap<string, number>): number {
  return Math.max(track.lastSeen, held.get(track.trackId) ?? Number.NEGATIVE_INFINITY);
}
