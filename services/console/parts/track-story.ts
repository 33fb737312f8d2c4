// Knows what the page of a track shows: its path as it comes, and what was around it at the chosen moment.
import { askClosestImage } from "../data/closest-image.ts";
import { type ApiError, shownError } from "../data/errors.ts";
import { loadedImage } from "../data/loaded-image.ts";
import { resolvedMedia } from "../data/media.ts";
import { askMedia, type Media } from "../data/media-questions.ts";
import { askStill } from "../data/past-questions.ts";
import { askZones } from "../data/past-zones.ts";
import {
  askRawDetection,
  askTrack,
  type PathSpot,
  readPath,
  type TrackHeader,
  type TrackRef,
} from "../data/track-questions.ts";
import { type Neighbour, neighboursOf, type SpeedPoint, speedsOf, spotUntil } from "../past/path.ts";
import type { Range } from "../past/scale.ts";
import { boxOf } from "../picture/rings.ts";
import type { SceneZone } from "../picture/scene.ts";
import type { App } from "./app.ts";
import { Loaded } from "./loaded.ts";

/** The chart of speeds has means of at least so much time, and of the whole at most so many. */
const SPEED_PART_MS = 500;
const MOST_SPEEDS = 600;
const MOST_NEIGHBOURS = 8;

export interface Around {
  readonly neighbours: readonly Neighbour[];
  /** The detection as the interface has it. */
  readonly raw: object | undefined;
}

export class TrackStory {
  readonly #app: App;
  readonly #ref: TrackRef;
  readonly #stopped = new AbortController();
  readonly header: Loaded<TrackHeader | undefined>;
  #wanted: number | undefined;
  spots: readonly PathSpot[] = [];
  speeds: readonly SpeedPoint[] = [];
  zones: readonly SceneZone[] = [];
  /** The closest one of the camera. */
  image: HTMLImageElement | undefined;
  pathError: ApiError | undefined;
  isWhole = false;
  /** Undefined until the path has come. */
  around: Loaded<Around> | undefined;
  media: Loaded<Media> | undefined;

  constructor(app: App, ref: TrackRef, at: number | undefined) {
    this.#app = app;
    this.#ref = ref;
    this.#wanted = at;
    this.header = new Loaded<TrackHeader | undefined>(app.redraw, async (signal) => {
      const header = await askTrack(app, ref, signal);
      if (header !== undefined) this.#begin(header);
      return header;
    });
  }

  /** The chosen moment; that of the last detection when none was chosen. Undefined until there is a detection. */
  get at(): number | undefined {
    return this.spot && (this.#wanted ?? this.spot.at);
  }

  /** Index of the last detection by the chosen moment: the last one of all when none was chosen. */
  get index(): number {
    return this.#wanted === undefined ? this.spots.length - 1 : spotUntil(this.spots, this.#wanted);
  }

  get spot(): PathSpot | undefined {
    return this.spots[this.index];
  }

  /** The life of the track, as far as it is known. */
  rangeOf({ startTime, endTime }: TrackHeader): Range {
    const last = this.spots.at(-1)?.at ?? startTime;
    return { from: startTime, to: Math.max(endTime ?? last, startTime + 1) };
  }

  /** @param isDone false while the user still moves it; then only what is known is shown. */
  choose(at: number, isDone: boolean): void {
    this.#wanted = Math.round(at);
    if (isDone) this.#askAround();
    this.#app.redraw();
  }

  #begin(header: TrackHeader): void {
    this.spots = [];
    this.isWhole = false;
    this.pathError = undefined;
    const { signal } = this.#stopped;
    readPath(this.#app, this.#ref, header, signal, (spots) => this.#got(spots)).then(
      () => this.#complete(header),
      (error) => {
        if (!signal.aborted) this.pathError = shownError(error);
        this.#app.redraw();
      },
    );
  }

  #got(spots: readonly PathSpot[]): void {
    this.spots = [...spots];
    const lengthMs = (spots.at(-1)?.at ?? 0) - (spots[0]?.at ?? 0);
    this.speeds = speedsOf(this.spots, Math.min(MOST_SPEEDS, Math.ceil(lengthMs / SPEED_PART_MS) || 1));
    this.#app.redraw();
  }

  #complete(header: TrackHeader): void {
    this.isWhole = true;
    const id = this.#ref.dataSourceId;
    const range = this.rangeOf(header);
    this.media = new Loaded<Media>(this.#app.redraw, (signal) => askMedia(this.#app, { id, range, signal }));
    this.#askAround();
    this.#askZones();
    // The path is of use without it.
    this.#askImage().catch(() => {});
    this.#app.redraw();
  }

  /** The zones that counted for the last detection are those of the time at which the log recorded it. */
  #askZones(): void {
    const asOf = this.spots.at(-1)?.recordedAt ?? undefined;
    if (asOf === undefined) return;
    askZones(this.#app, { id: this.#ref.dataSourceId, asOf, signal: this.#stopped.signal }).then(
      (zones) => {
        this.zones = zones;
        this.#app.redraw();
      },
      // The path is of use without them.
      () => {},
    );
  }

  async #askImage(): Promise<void> {
    const { spot } = this;
    if (spot === undefined) return;
    const { signal } = this.#stopped;
    const closest = await askClosestImage(this.#app, { id: this.#ref.dataSourceId, at: spot.at, signal });
    if (closest === undefined) return;
    this.image = await loadedImage(resolvedMedia(closest.url));
    if (!signal.aborted) this.#app.redraw();
  }

  #askAround(): void {
    const { spot, at } = this;
    if (spot === undefined || at === undefined) return;
    const ask = (signal: AbortSignal) => this.#aroundOf(spot, at, signal);
    if (this.around === undefined) this.around = new Loaded<Around>(this.#app.redraw, ask);
    else this.around.load(ask);
  }

  async #aroundOf({ at: seenAt, box }: PathSpot, at: number, signal: AbortSignal): Promise<Around> {
    const { dataSourceId: id, trackId } = this.#ref;
    const [still, raw] = await Promise.all([
      askStill(this.#app, { id, at, trail: 1, signal }),
      askRawDetection(this.#app, this.#ref, seenAt, signal),
    ]);
    const others = still.detections.filter((seen) => seen.trackId !== trackId && seen.ring.length > 0);
    const boxes = others.map(({ ring, ...seen }) => ({ ...seen, box: boxOf(ring) }));
    return { neighbours: neighboursOf(box, boxes, MOST_NEIGHBOURS), raw };
  }

  stop(): void {
    this.#stopped.abort();
    this.header.stop();
    this.around?.stop();
    this.media?.stop();
  }
}
