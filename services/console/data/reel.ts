// Detections of a stretch of the past, and the picture of each of its moments. Pure.
import type { SceneObject, SceneStay } from "../picture/scene.ts";
import { SceneFold, type SeenDetection, type SeenStay } from "./scene-fold.ts";

export interface PastDetection extends SeenDetection {
  /** When the log recorded it; null when unknown. */
  readonly recordedAt: number | null;
}

/** The picture of one moment: the last detections of each track, and the stays of these tracks. */
export interface Still {
  readonly at: number;
  readonly detections: readonly PastDetection[];
  readonly stays: readonly SeenStay[];
}

/** A stretch that follows what a reel has. */
export interface Stretch {
  /** All detections up to there are known. */
  readonly until: number;
  /** Ascending by time; perhaps some later than `until`. */
  readonly detections: readonly PastDetection[];
  /** Stays that begin in the stretch. */
  readonly stays: readonly SeenStay[];
}

/** A picture without its zones. */
export interface PastPicture {
  readonly at: number;
  readonly objects: ReadonlyMap<string, SceneObject>;
  readonly stays: readonly SceneStay[];
  /** When the log recorded the newest detection of the picture; undefined when unknown. */
  readonly recordedAt: number | undefined;
}

/** @internal Beyond this many detections, a reel forgets those before the moment that it shows. */
export const MOST_DETECTIONS = 60_000;

const ascending = (detections: readonly PastDetection[]) => [...detections].sort((a, b) => a.at - b.at);

export class Reel {
  #from: number;
  #until: number;
  #detections: PastDetection[];
  #stays: SeenStay[];
  #fold = new SceneFold();
  /** Index of the first detection that is not in the fold. */
  #next = 0;
  /** The last moment at which silent tracks were dropped from the fold: it cannot go back before it. */
  #swept = Number.NEGATIVE_INFINITY;

  constructor({ at, detections, stays }: Still) {
    this.#from = at;
    this.#until = at;
    this.#detections = ascending(detections);
    this.#stays = [...stays];
  }

  /** The reel has the picture of each moment from here ... */
  get from(): number {
    return this.#from;
  }

  /** ... to here. */
  get until(): number {
    return this.#until;
  }

  covers(at: number): boolean {
    return at >= this.#from && at <= this.#until;
  }

  append({ until, detections, stays }: Stretch): void {
    this.#detections.push(...detections);
    this.#stays.push(...stays);
    this.#until = Math.max(this.#until, until);
  }

  /** The last detection of each track that was silent for less than its time to live. */
  pictureAt(at: number): PastPicture {
    const newest = this.#detections[this.#next - 1];
    if (at < this.#swept || (newest !== undefined && newest.at > at)) this.#rewind();
    for (let seen = this.#detections[this.#next]; seen !== undefined && seen.at <= at; ) {
      this.#fold.detection(seen, seen.at);
      seen = this.#detections[++this.#next];
    }
    if (this.#fold.sweep(at)) this.#swept = at;
    const recordedAt = this.#detections[this.#next - 1]?.recordedAt ?? undefined;
    const { objects } = this.#fold;
    const picture = { at, objects, stays: staysAt(this.#stays, at, objects), recordedAt };
    if (this.#detections.length > MOST_DETECTIONS) this.#forget(at);
    return picture;
  }

  /** Number of detections that are known beyond the shown moment. */
  get ahead(): number {
    return this.#detections.length - this.#next;
  }

  /** @returns undefined when the reel does not know. */
  frameAfter(at: number): number | undefined {
    return this.covers(at) ? this.#detections.find((seen) => seen.at > at && seen.at <= this.#until)?.at : undefined;
  }

  /** @returns undefined when the reel does not know. */
  frameBefore(at: number): number | undefined {
    return this.covers(at) ? this.#detections.findLast((seen) => seen.at < at && seen.at > this.#from)?.at : undefined;
  }

  #rewind(): void {
    this.#fold = new SceneFold();
    this.#next = 0;
    this.#swept = Number.NEGATIVE_INFINITY;
  }

  /** Only the picture of the shown moment remains of its past. */
  #forget(at: number): void {
    const last = new Map<string, PastDetection>();
    for (const seen of this.#detections.slice(0, this.#next))
      if (this.#fold.objects.get(seen.trackId)?.at === seen.at) last.set(seen.trackId, seen);
    const kept = ascending([...last.values()]);
    this.#detections = [...kept, ...this.#detections.slice(this.#next)];
    this.#stays = this.#stays.filter(({ endedAt }) => endedAt === null || endedAt > at);
    this.#next = kept.length;
    this.#from = at;
  }
}

/**
 * A stay lasts from its first detection inside to the first one outside. One without an end lasts as long as its track
 * is in the picture: the state machine may end it later, at the last detection of the track.
 */
export const staysAt = (
  stays: readonly SeenStay[],
  at: number,
  objects: ReadonlyMap<string, unknown>,
): readonly SceneStay[] =>
  stays.filter(
    ({ trackId, since, endedAt }) => since <= at && (endedAt === null ? objects.has(trackId) : at < endedAt),
  );
