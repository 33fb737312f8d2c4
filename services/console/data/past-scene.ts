// The scene of a camera at a moment of the past, which may be moved and played. It keeps the last picture while the
// next one is on its way.

import { momentAfter } from "../past/playback.ts";
import type { Scene } from "../picture/scene.ts";
import type { Asks } from "./asks.ts";
import { serverNow } from "./clock.ts";
import { type ApiError, isTemporary, shownError, waitMsAfter } from "./errors.ts";
import { PastLoader } from "./past-loader.ts";
import { askFrame } from "./past-questions.ts";
import { PastZones } from "./past-zones.ts";
import type { PastPicture } from "./reel.ts";

export interface PastEvents {
  /** After each change, and for each frame while it plays. */
  readonly onChange: () => void;
  /** A step has arrived at its frame. */
  readonly onStep: () => void;
  /** The playback has arrived at the present. */
  readonly onPresent: () => void;
}

/** The wall's time, after which a picture is late. */
const LATE_MS = 1_000;

export interface PastStart {
  readonly dataSourceId: string;
  readonly at: number;
  /** The scene that is shown until the first answer comes. */
  readonly before: Scene;
}

export class PastScene {
  readonly #requests: Asks;
  readonly #id: string;
  readonly #before: Scene;
  readonly #events: PastEvents;
  readonly #zones: PastZones;
  readonly #loader: PastLoader;
  #stepping = new AbortController();
  #picture: PastPicture | undefined;
  #at = 0;
  #speed = 0;
  #frame = 0;
  #error: ApiError | undefined;
  #retrying: ReturnType<typeof setTimeout> | undefined;
  /** Failures since the last answer. */
  #failures = 0;
  /** How much later than its time the log recorded the newest detection: much for an imported recording. */
  #lagMs = 0;

  constructor(requests: Asks, { dataSourceId, at, before }: PastStart, events: PastEvents) {
    this.#requests = requests;
    this.#id = dataSourceId;
    this.#before = before;
    this.#events = events;
    this.#zones = new PastZones(requests, dataSourceId, events.onChange);
    const error = (reason: unknown) => this.#failed(reason);
    this.#loader = new PastLoader(requests, dataSourceId, { loaded: () => this.#loaded(), error });
    this.seek(at);
  }

  /** The chosen moment. The picture is of an earlier one while this one is on its way. */
  get at(): number {
    return this.#at;
  }

  /** 0 while it is paused. */
  get speed(): number {
    return this.#speed;
  }

  /** Whether the picture is of another moment than the chosen one, by more than playing explains. */
  get isLate(): boolean {
    const shownAt = this.#picture?.at ?? Number.NEGATIVE_INFINITY;
    return Math.abs(this.#at - shownAt) > LATE_MS * this.#speed;
  }

  /** Whether the scene, or its zones, are still those of before. */
  get isWaiting(): boolean {
    return this.#picture === undefined || !this.#zones.isAnswered;
  }

  get error(): ApiError | undefined {
    return this.#error;
  }

  get scene(): Scene {
    const { zones = this.#before.zones } = this.#zones;
    if (this.#picture === undefined) return { ...this.#before, at: this.#at };
    const { objects, stays, at } = this.#picture;
    return { objects, stays, zones, at };
  }

  seek(at: number): void {
    this.#stepping.abort();
    this.#at = Math.round(at);
    this.#error = undefined;
    clearTimeout(this.#retrying);
    this.#loader.seek(this.#at);
    this.#show();
  }

  play(speed: number): void {
    this.#speed = speed;
    this.#loader.tryPages();
    cancelAnimationFrame(this.#frame);
    const tick = (before: number) => (now: number) => {
      const latest = serverNow();
      this.#at = momentAfter(this.#at, now - before, this.#speed, latest);
      this.#frame = requestAnimationFrame(tick(now));
      this.#show();
      if (this.#at >= latest) this.#events.onPresent();
    };
    this.#frame = requestAnimationFrame(tick(performance.now()));
  }

  /** The picture stays at a whole millisecond, as an address has it. */
  pause(): void {
    cancelAnimationFrame(this.#frame);
    this.#speed = 0;
    this.seek(this.#at);
  }

  /** Moves to the next or the last frame with a detection, however far away it is. */
  step(isLater: boolean): void {
    if (this.#speed > 0) this.pause();
    const reel = this.#loader.reelAt(this.#at);
    const known = isLater ? reel?.frameAfter(this.#at) : reel?.frameBefore(this.#at);
    const arrive = (at: number) => {
      this.seek(at);
      this.#events.onStep();
    };
    if (known !== undefined) {
      arrive(known);
      return;
    }
    this.#stepping.abort();
    this.#stepping = new AbortController();
    const { signal } = this.#stepping;
    askFrame(this.#requests, { id: this.#id, at: this.#at, isLater, signal }).then(
      (at) => {
        if (!signal.aborted && at !== undefined) arrive(at);
      },
      (error) => !signal.aborted && this.#failed(error),
    );
  }

  #loaded(): void {
    this.#failures = 0;
    this.#error = undefined;
    this.#show();
  }

  #show(): void {
    const reel = this.#loader.reelAt(this.#at);
    const isPlaying = this.#speed > 0;
    // A picture of a moment that is still to come must wait; one that was chosen is shown at once.
    if (reel !== undefined && !(isPlaying && reel.from > this.#at)) {
      this.#picture = reel.pictureAt(Math.min(reel.until, Math.max(reel.from, this.#at)));
      this.#wantZones(this.#picture);
    }
    if (isPlaying && this.#error === undefined) this.#loader.keepAhead(this.#at, this.#speed, serverNow());
    this.#events.onChange();
  }

  /** The zones that counted for a detection are those of the time at which the log recorded it. */
  #wantZones({ at, recordedAt }: PastPicture): void {
    if (recordedAt !== undefined) this.#lagMs = recordedAt - at;
    this.#zones.want(recordedAt ?? Math.min(serverNow(), at + this.#lagMs));
  }

  /** A playback goes on by itself once the server answers again. */
  #failed(reason: unknown): void {
    const error = shownError(reason);
    this.#error = error;
    clearTimeout(this.#retrying);
    if (isTemporary(error)) {
      this.#failures += 1;
      this.#retrying = setTimeout(() => this.seek(this.#at), waitMsAfter(error, this.#failures));
    } else {
      cancelAnimationFrame(this.#frame);
      this.#speed = 0;
    }
    this.#events.onChange();
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#retrying);
    this.#stepping.abort();
    this.#loader.stop();
    this.#zones.stop();
  }
}
