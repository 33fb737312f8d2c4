// The scene of a camera, folded from detections, stays and ends of tracks as they arrive. Pure: times are given, and
// messages may come twice or late.
import { boxOf, footOf } from "../picture/rings.ts";
import type { SceneObject, SceneStay } from "../picture/scene.ts";
import type { Box, Point, Ring } from "../picture/view.ts";

/** A detection with a polygon, or with nothing but a position. */
export interface SeenDetection {
  readonly trackId: string;
  readonly tag: string;
  readonly at: number;
  readonly ring: Ring;
  readonly position: Point | null;
}

/** An intersection; `endedAt` is null while the track is inside. */
export interface SeenStay extends SceneStay {
  readonly id: string;
  readonly endedAt: number | null;
}

interface LiveObject extends SceneObject {
  /** When its last detection arrived, by the clock of the browser. */
  readonly receivedAt: number;
  /** Time of the detection that the trail ends with. */
  readonly trailAt: number;
}

/** The state machine ends a track after this silence (TRACK_TTL). */
export const SILENCE_MS = 15_000;
/** A trail has a point at most this often, and this many of them. */
const TRAIL_STEP_MS = 250;
const TRAIL_POINTS = 40;
/** Ends are remembered for so long, against detections and answers that arrive after them. */
const REMEMBER_MS = 120_000;

export class SceneFold {
  readonly #objects = new Map<string, LiveObject>();
  readonly #stays = new Map<string, SeenStay>();
  /** Ended tracks with the time of their end, and ended stays; each with the time at which it was received. */
  readonly #endedTracks = new Map<string, { readonly at: number; readonly receivedAt: number }>();
  readonly #endedStays = new Map<string, number>();
  /** Stays that an answer has opened, and of which no message has come. */
  readonly #answeredStays = new Set<string>();
  /** Tracks in zones that are silent, but have not ended: their stays return with the next detection. */
  readonly #silentTracks = new Set<string>();
  /** Time of the newest detection among the objects: the present of the camera, whatever its clock says. */
  #newestAt = Number.NEGATIVE_INFINITY;

  get objects(): ReadonlyMap<string, SceneObject> {
    return this.#objects;
  }

  get stays(): Iterable<SeenStay> {
    return [...this.#stays.values()].filter(({ trackId }) => !this.#silentTracks.has(trackId));
  }

  /**
   * A late or repeated detection moves nothing back, and shows no ended track again. One that is long past, as after a
   * lost connection, is no picture of now.
   */
  detection({ trackId, tag, at, ring, position }: SeenDetection, receivedAt: number): void {
    const known = this.#objects.get(trackId);
    if (known !== undefined && known.at >= at) return;
    if (this.#newestAt - at >= SILENCE_MS) return;
    const ended = this.#endedTracks.get(trackId);
    if (ended !== undefined) {
      if (ended.at >= at) return;
      this.#endedTracks.delete(trackId);
    }
    this.#newestAt = Math.max(this.#newestAt, at);
    this.#silentTracks.delete(trackId);
    const box = boxOf(ring);
    const trail = trailAfter(known, at, box);
    const trailAt = trail === known?.trail ? known.trailAt : at;
    this.#objects.set(trackId, { trackId, tag, ring, box, at, position, trail, trailAt, receivedAt });
  }

  /** A detection that is newer than the end shows the track again. The stays of a track end with it. */
  trackEnded(trackId: string, at: number, receivedAt: number): void {
    const known = this.#objects.get(trackId);
    if (known !== undefined && known.at > at) return;
    this.#objects.delete(trackId);
    this.#endedTracks.set(trackId, { at, receivedAt });
    this.#silentTracks.delete(trackId);
    for (const stay of this.#stays.values()) if (stay.trackId === trackId) this.#drop(stay.id);
  }

  /** A message of the subscription, which are in order: an UPDATE after an END takes the end back. */
  stay(stay: SeenStay, receivedAt: number): void {
    this.#drop(stay.id);
    if (stay.endedAt === null) {
      this.#endedStays.delete(stay.id);
      this.#stays.set(stay.id, stay);
    } else this.#endedStays.set(stay.id, receivedAt);
  }

  /**
   * All open stays of an answer, which may be older than messages that have come already. The history lags the log, so
   * an answer may have a stay whose end came before the subscription: it leaves with the next answer.
   */
  openStays(stays: readonly SeenStay[]): void {
    const open = new Set(stays.map(({ id }) => id));
    for (const id of this.#answeredStays) if (!open.has(id)) this.#drop(id);
    for (const stay of stays) {
      if (this.#endedStays.has(stay.id) || this.#endedTracks.has(stay.trackId) || this.#stays.has(stay.id)) continue;
      this.#stays.set(stay.id, stay);
      this.#answeredStays.add(stay.id);
    }
  }

  /** Drops what has been silent for too long. @returns whether something left. */
  sweep(now: number): boolean {
    let left = false;
    for (const [trackId, { at, receivedAt }] of this.#objects) {
      if (now - receivedAt < SILENCE_MS && this.#newestAt - at < SILENCE_MS) continue;
      this.#objects.delete(trackId);
      this.#silentTracks.add(trackId);
      left = true;
    }
    // Computed again, so that one detection far in the future blanks the picture for no longer than it is shown itself.
    this.#newestAt = [...this.#objects.values()].reduce(
      (newest, { at }) => Math.max(newest, at),
      Number.NEGATIVE_INFINITY,
    );
    const inZones = new Set([...this.#stays.values()].map(({ trackId }) => trackId));
    for (const trackId of this.#silentTracks) if (!inZones.has(trackId)) this.#silentTracks.delete(trackId);
    for (const [trackId, { receivedAt }] of this.#endedTracks)
      if (now - receivedAt > REMEMBER_MS) this.#endedTracks.delete(trackId);
    for (const [id, receivedAt] of this.#endedStays) if (now - receivedAt > REMEMBER_MS) this.#endedStays.delete(id);
    return left;
  }

  #drop(stayId: string): void {
    this.#stays.delete(stayId);
    this.#answeredStays.delete(stayId);
  }
}

/** The same array until the next point is due, so that frequent detections cost nothing. */
function trailAfter(known: LiveObject | undefined, at: number, box: Box): readonly Point[] {
  if (known === undefined) return [footOf(box)];
  if (at - known.trailAt < TRAIL_STEP_MS) return known.trail;
  return [...known.trail.slice(1 - TRAIL_POINTS), footOf(box)];
}
