// The time line below the picture of a camera: it chooses a moment of the past, plays it, and goes back to the present.

import { html, nothing, type TemplateResult } from "lit-html";
import { serverNow } from "../data/clock.ts";
import { PastScene } from "../data/past-scene.ts";
import { pollWhileSeen } from "../data/polling.ts";
import { momentOf, queryOf } from "../past/link.ts";
import { lengthOf, rangeUntil, showing } from "../past/scale.ts";
import { CONSOLE } from "./frame.ts";
import { HeatMap } from "./heat-map.ts";
import { ADDRESS_MS, createPace } from "./pace.ts";
import type { CameraHost, CreateTimeLine, TimeLine } from "./picture-tool.ts";
import { refused } from "./states.ts";
import { FIRST_RANGE_MS, timeControls } from "./time-controls.ts";
import { timeKey } from "./time-keys.ts";
import { TimeSlider } from "./time-slider.ts";

/** A moment this near to the present is the present. */
const PRESENT_MS = 1_000;
/** Texts change at most so often while the past is played; the picture changes with each frame. */
const TEXTS_MS = 250;
/** While the page is live, the range follows the present. */
const FOLLOW_MS = 10_000;

class CameraTimeLine implements TimeLine {
  readonly #host: CameraHost;
  readonly #slider: TimeSlider;
  readonly #heat: HeatMap;
  readonly #texts: ReturnType<typeof createPace>;
  readonly #address: ReturnType<typeof createPace>;
  readonly #stopFollowing: () => void;
  /** The end of the range when it followed the present last. */
  #followedTo: number | undefined;
  #past: PastScene | undefined;
  #speed = 1;
  #query: URLSearchParams;

  constructor(host: CameraHost, query: URLSearchParams) {
    this.#host = host;
    this.#query = query;
    this.#texts = createPace(TEXTS_MS, host.app.redraw);
    this.#address = createPace(ADDRESS_MS, () => this.#writeAddress());
    const { at, range } = momentOf(query);
    const shown = range ?? rangeUntil(Math.min(serverNow(), (at ?? Infinity) + FIRST_RANGE_MS / 2), FIRST_RANGE_MS);
    this.#slider = new TimeSlider(
      host.app,
      host.dataSourceId,
      at === undefined ? shown : showing(shown, at, serverNow()),
      {
        onSeek: (to, isDone) => this.#seek(to, isDone),
        onRange: () => this.#keep(),
      },
    );
    this.#heat = new HeatMap(host, this.#slider);
    this.#stopFollowing = pollWhileSeen(() => this.#follow(), FOLLOW_MS);
    document.addEventListener("keydown", this.#onKey);
    if (at !== undefined) this.#seek(at, false);
  }

  get past() {
    return this.#past?.scene;
  }

  get isWaiting() {
    return this.#past?.isWaiting ?? false;
  }

  get note() {
    if (!this.#past?.isLate) return undefined;
    return this.#past.error === undefined ? "Loading this moment …" : "This moment is not loaded.";
  }

  get layer() {
    return this.#heat.layer;
  }

  view(): TemplateResult {
    const past = this.#past;
    return html`<section class="time-line" aria-label="Time">
      ${timeControls({
        app: this.#host.app,
        at: past?.at,
        isPlaying: past !== undefined && past.speed > 0,
        isLate: past?.isLate ?? false,
        speed: this.#speed,
        range: this.#slider.range,
        isHeatShown: this.#heat.isShown,
        does: this.#does,
      })}
      ${past?.error === undefined ? nothing : refused(past.error, () => past.seek(past.at))}
      ${this.#slider.view(past?.at ?? this.#slider.range.to, past === undefined)} ${this.#heat.view()}
    </section>`;
  }

  /** The buttons and the keys call these. */
  readonly #does = {
    live: () => this.#live(),
    togglePlay: () => this.#togglePlay(),
    step: (isLater: boolean) => this.#step(isLater),
    setSpeed: (speed: number) => this.#setSpeed(speed),
    seek: (at: number) => this.#seek(at, true),
    showLast: (ms: number) => this.#slider.last(ms, this.#past?.at),
    move: (share: number) => this.#slider.move(share),
    zoom: (factor: number) => this.#slider.zoom(factor, this.#past?.at ?? this.#slider.range.to),
    toggleHeat: () => this.#heat.toggle(),
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (timeKey(event, this.#does)) event.preventDefault();
  };

  #seek(wanted: number, isDone: boolean): void {
    const now = serverNow();
    const at = Math.round(wanted);
    if (at >= now - PRESENT_MS) this.#live();
    else if (this.#past !== undefined) this.#past.seek(at);
    else {
      const { app, dataSourceId } = this.#host;
      const events = {
        onChange: () => this.#changed(),
        onStep: () => this.#stepped(),
        onPresent: () => this.#live(),
      };
      this.#past = new PastScene(app, { dataSourceId, at, before: this.#host.scene }, events);
    }
    this.#slider.show(showing(this.#slider.range, Math.min(at, now), now));
    if (isDone) this.#keep();
    this.#changed();
  }

  #togglePlay(): void {
    if (this.#past === undefined) this.#seek(serverNow() - 2 * PRESENT_MS, true);
    else if (this.#past.speed > 0) this.#pause();
    else this.#past.play(this.#speed);
    this.#changed();
  }

  #pause(): void {
    this.#past?.pause();
    this.#keep();
  }

  #step(isLater: boolean): void {
    if (this.#past === undefined) this.#seek(serverNow() - 2 * PRESENT_MS, false);
    this.#past?.step(isLater);
  }

  #stepped(): void {
    const now = serverNow();
    if (this.#past) this.#slider.show(showing(this.#slider.range, this.#past.at, now));
    this.#keep();
  }

  #setSpeed(speed: number): void {
    this.#speed = speed;
    if (this.#past !== undefined && this.#past.speed > 0) this.#past.play(speed);
    this.#changed();
  }

  #live(): void {
    this.#past?.stop();
    this.#past = undefined;
    const now = serverNow();
    if (this.#slider.range.to < now) this.#slider.show(rangeUntil(now, lengthOf(this.#slider.range)));
    this.#keep();
    this.#changed();
  }

  /** The page may have been hidden for long since it followed last. */
  #follow(): void {
    const { range } = this.#slider;
    const isAtEnd = range.to === this.#followedTo || serverNow() - range.to < 2 * FOLLOW_MS;
    if (this.#past !== undefined || !isAtEnd) return;
    this.#slider.show(rangeUntil(serverNow(), lengthOf(range)));
    this.#followedTo = this.#slider.range.to;
  }

  #changed(): void {
    const past = this.#past;
    this.#host.picture.repaint();
    if (past !== undefined && past.speed > 0) {
      this.#showWhilePlaying(past.at);
      this.#slider.point(past.at);
      this.#texts.call();
    } else this.#host.app.redraw();
  }

  #showWhilePlaying(at: number): void {
    const { range } = this.#slider;
    if (at > range.to) this.#slider.show(showing(range, at, serverNow()));
  }

  /** Keeps the moment and the range in the address. */
  #keep(): void {
    this.#address.call();
  }

  /** A playback writes its address when it pauses: an address that moved with it would move it back. */
  #writeAddress(): void {
    if (this.#past !== undefined && this.#past.speed > 0) return;
    const path = location.pathname.slice(CONSOLE.length);
    const at = this.#past?.at;
    const query = queryOf({ at, range: at === undefined ? undefined : this.#slider.range }, this.#query);
    if (query !== location.search) this.#host.app.go(path + query, { replace: true });
  }

  /** Also called after each change of its own. */
  moved(query: URLSearchParams) {
    this.#query = query;
    const { at, range } = momentOf(query);
    if (at === this.#past?.at) return;
    if (range !== undefined) this.#slider.show(range);
    if (at === undefined) this.#live();
    else this.#seek(at, false);
  }

  stop() {
    this.#stopFollowing();
    this.#texts.stop();
    this.#address.stop();
    document.removeEventListener("keydown", this.#onKey);
    this.#past?.stop();
    this.#slider.stop();
    this.#heat.stop();
  }
}

export const createTimeLine: CreateTimeLine = (host, query) => new CameraTimeLine(host, query);
