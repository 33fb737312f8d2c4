// Loads what a picture of the past needs: the picture of a chosen moment, and what follows it while it is played.
import { nextLoad, STILLS_AT_ONCE } from "../past/playback.ts";
import type { Range } from "../past/scale.ts";
import type { Asks } from "./asks.ts";
import { askDetections, askStill } from "./past-questions.ts";
import { Reel } from "./reel.ts";

/** Trails are shorter where there are many objects, so that a picture needs at most about this many detections. */
const STILL_DETECTIONS = 4_000;
const LONGEST_TRAIL = 20;
/** A page covers at most so much of the wall's time, so that hours without detections cost one question. */
const PAGE_WALL_MS = 8_000;
const SHORTEST_PAGE_MS = 10_000;
/** No page is loaded while so many detections wait to be played. */
const MOST_AHEAD = 30_000;

interface OpenPage {
  readonly reel: Reel;
  readonly range: Range;
  readonly next: string;
}

export class PastLoader {
  readonly #requests: Asks;
  readonly #id: string;
  readonly #onLoaded: () => void;
  readonly #onError: (error: unknown) => void;
  /** Ascending. */
  #reels: Reel[] = [];
  #loading = new AbortController();
  #wanted: number | undefined;
  /** Moments whose pictures are on their way. */
  #asked: readonly number[] = [];
  #stillTookMs = 150;
  #isPaging = false;
  #open: OpenPage | undefined;
  #page: { readonly coversMs: number; readonly tookMs: number } | undefined;
  #objects = LONGEST_TRAIL;

  constructor(
    requests: Asks,
    dataSourceId: string,
    on: { readonly loaded: () => void; readonly error: (error: unknown) => void },
  ) {
    this.#requests = requests;
    this.#id = dataSourceId;
    this.#onLoaded = on.loaded;
    this.#onError = on.error;
  }

  /** @returns what has the picture of the moment, or of the last one before it that is known. */
  reelAt(at: number): Reel | undefined {
    const found = this.#reels.findLastIndex(({ from }) => from <= at);
    if (found > 0) this.#reels.splice(0, found);
    return this.#reels[0];
  }

  /** Loads the picture of the moment. While one is on its way, the last moment that was wanted follows it. */
  seek(at: number): void {
    this.#page = undefined;
    if (this.#reels.some((reel) => reel.covers(at))) return;
    if (this.#isPaging || this.#asked.length > 1) this.#giveUp();
    this.#wanted = at;
    if (this.#asked.length === 0) this.#loadWanted();
  }

  #loadWanted(): void {
    const at = this.#wanted;
    if (at === undefined) return;
    this.#wanted = undefined;
    this.#loadStill(at, (reel) => {
      this.#reels = [reel];
      this.#open = undefined;
    });
  }

  /** @param latest nothing after it is loaded. */
  keepAhead(at: number, speed: number, latest: number): void {
    const last = this.#reels.at(-1);
    if (last === undefined || this.#wanted !== undefined) return;
    const loadedUntil = Math.max(last.until, ...this.#asked);
    const state = { at, speed, loadedUntil, page: this.#page, stillTookMs: this.#stillTookMs };
    const next = nextLoad(state);
    if (next.kind === "page" && !this.#isPaging && this.#asked.length === 0 && last.ahead < MOST_AHEAD) {
      this.#loadPage(last, speed, latest);
    } else if (next.kind === "still" && next.at < latest && this.#asked.length < STILLS_AT_ONCE) {
      this.#loadStill(next.at, (reel) => {
        this.#reels = [...this.#reels, reel].sort((a, b) => a.from - b.from);
      });
    }
  }

  /** The speed has changed, so pages may be fast enough again. */
  tryPages(): void {
    this.#page = undefined;
  }

  #loadStill(at: number, use: (reel: Reel) => void): void {
    const { signal } = this.#loading;
    const trail = Math.max(1, Math.min(LONGEST_TRAIL, Math.floor(STILL_DETECTIONS / this.#objects)));
    const began = performance.now();
    this.#asked = [...this.#asked, at];
    askStill(this.#requests, { id: this.#id, at, trail, signal }).then(
      (still) => {
        if (signal.aborted) return;
        this.#asked = this.#asked.filter((asked) => asked !== at);
        this.#stillTookMs = performance.now() - began;
        const reel = new Reel(still);
        this.#objects = Math.max(1, reel.pictureAt(at).objects.size);
        use(reel);
        this.#onLoaded();
        if (this.#asked.length === 0) this.#loadWanted();
      },
      (error) => this.#failed(error, signal),
    );
  }

  #loadPage(reel: Reel, speed: number, latest: number): void {
    const { signal } = this.#loading;
    const open = this.#open?.reel === reel ? this.#open : undefined;
    const from = reel.until + 1;
    const range = open?.range ?? {
      from,
      to: Math.min(latest, from + Math.max(SHORTEST_PAGE_MS, PAGE_WALL_MS * speed)),
    };
    if (range.to < from) return;
    const began = performance.now();
    this.#isPaging = true;
    askDetections(this.#requests, { id: this.#id, range, after: open?.next, signal }).then(
      ({ detections, stays, next }) => {
        if (signal.aborted) return;
        this.#isPaging = false;
        // The last frame of a page may go on in the next one.
        const until = next === undefined ? range.to : Math.max(reel.until, (detections.at(-1)?.at ?? from) - 1);
        this.#open = next === undefined ? undefined : { reel, range, next };
        this.#page = { coversMs: until - reel.until, tookMs: performance.now() - began };
        reel.append({ until, detections, stays });
        // It has the pictures of the moments that were asked for meanwhile.
        const others = this.#reels.filter((other) => other !== reel && !reel.covers(other.from));
        this.#reels = [...others, reel].sort((a, b) => a.from - b.from);
        this.#onLoaded();
      },
      (error) => this.#failed(error, signal),
    );
  }

  #failed(error: unknown, { aborted }: AbortSignal): void {
    if (aborted) return;
    this.#giveUp();
    this.#onError(error);
  }

  #giveUp(): void {
    this.#loading.abort();
    this.#loading = new AbortController();
    this.#asked = [];
    this.#isPaging = false;
    this.#open = undefined;
    this.#wanted = undefined;
  }

  stop(): void {
    this.#giveUp();
  }
}
