// The slider of a time line: how many detections there were when, and the moment that is chosen among them.

import { html, nothing, svg, type TemplateResult } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import { serverNow } from "../data/clock.ts";
import { askDensity } from "../data/range-questions.ts";
import { BARS_HIGH, BARS_WIDE, barsPath, countIn, type Density } from "../past/density.ts";
import { lengthOf, movedRange, type Range, rangeUntil, shareOf, timeAt, zoomedRange } from "../past/scale.ts";
import type { App } from "./app.ts";
import { Loaded } from "./loaded.ts";
import { setShare } from "./placed.ts";
import { TimeAxis } from "./time-axis.ts";
import { fractionText } from "./times.ts";
import { isZoomOf } from "./wheel.ts";

export interface TimeSliderEvents {
  /** The user chooses a moment; `isDone` once a drag has ended. */
  readonly onSeek: (at: number, isDone: boolean) => void;
  /** The user has chosen a range, and it stays. */
  readonly onRange: () => void;
}

/** Between a change of the range and the question for its density. */
const SETTLE_MS = 150;

export class TimeSlider {
  readonly #app: App;
  readonly #id: string;
  readonly #events: TimeSliderEvents;
  readonly #axis: TimeAxis;
  readonly #density: Loaded<Density>;
  #range: Range;
  #settling: ReturnType<typeof setTimeout> | undefined;
  /** Whether the user chose the range, which the address then has. */
  #isChosen = false;
  #thumbElement: HTMLElement | undefined;

  constructor(app: App, dataSourceId: string, range: Range, events: TimeSliderEvents) {
    this.#app = app;
    this.#id = dataSourceId;
    this.#range = range;
    this.#events = events;
    this.#axis = new TimeAxis(app.times, range, (moved) => this.#choose(moved));
    this.#density = new Loaded<Density>(app.redraw, this.#ask(range));
  }

  get range(): Range {
    return this.#range;
  }

  /** Undefined until the first answer. */
  get density(): Density | undefined {
    return this.#density.value;
  }

  /** Shows another range, and asks for its density once it stays. */
  show(range: Range): void {
    this.#range = range;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#settled(), SETTLE_MS);
    this.#app.redraw();
  }

  #settled(): void {
    this.#density.load(this.#ask(this.#range));
    if (this.#isChosen) this.#events.onRange();
    this.#isChosen = false;
  }

  #ask = (range: Range) => (signal: AbortSignal) => askDensity(this.#app, { id: this.#id, range, signal });

  zoom(factor: number, at: number): void {
    this.#choose(zoomedRange(this.#range, factor, at, serverNow()));
  }

  move(share: number): void {
    this.#choose(movedRange(this.#range, share * lengthOf(this.#range), serverNow()));
  }

  last(lengthMs: number, around: number | undefined): void {
    const now = serverNow();
    const to = around === undefined ? now : Math.min(now, Math.round(around + lengthMs / 2));
    this.#choose(rangeUntil(to, lengthMs));
  }

  #choose(range: Range): void {
    this.#isChosen = true;
    this.show(range);
  }

  /** @param at the moment that is shown; the last of the range while the page is live. */
  view(at: number, isLive: boolean): TemplateResult {
    const text = isLive ? "Live" : `${this.#app.times.full(at)}${fractionText(at)}`;
    return html`<div class="scale" @wheel=${this.#onWheel}>
      <div
        class="bars"
        role="slider"
        tabindex="0"
        aria-label="Moment"
        aria-valuemin=${seconds(this.#range.from)}
        aria-valuemax=${seconds(this.#range.to)}
        aria-valuenow=${seconds(Math.min(this.#range.to, Math.max(this.#range.from, at)))}
        aria-valuetext=${text}
        @pointerdown=${this.#onGrab}
        @pointermove=${this.#onDrag}
        @pointerup=${this.#onDrop}
        @pointercancel=${this.#onDrop}
        @keydown=${(event: KeyboardEvent) => this.#onKey(event, at)}
      >
        ${this.#bars()}${this.#thumb(shareOf(this.#range, at), text)}
      </div>
      ${this.#note()}
      ${this.#axis.view(this.#range)}
    </div>`;
  }

  #bars() {
    const { value, error } = this.#density;
    if (error !== undefined || value === undefined || countIn(value) === 0) return nothing;
    return html`<svg viewBox="0 0 ${BARS_WIDE} ${BARS_HIGH}" preserveAspectRatio="none" aria-hidden="true">
      ${svg`<path d=${barsPath(value, this.#range)} />`}
    </svg>`;
  }

  /** Beside the slider, in which nothing else can be reached. Styles show it over the bars. */
  #note() {
    const { value, error } = this.#density;
    if (error !== undefined) {
      const again = () => this.#density.load();
      return html`<p class="note">${error.message} <button type="button" @click=${again}>Try again</button></p>`;
    }
    return value !== undefined && countIn(value) === 0
      ? html`<p class="note">No detections in this time.</p>`
      : nothing;
  }

  #thumb(share: number, text: string) {
    if (share < 0 || share > 1) return nothing;
    const place = ref((element) => {
      this.#thumbElement = element as HTMLElement | undefined;
      setShare(this.#thumbElement, share);
    });
    return html`<span class=${share > 0.5 ? "thumb to-left" : "thumb"} ${place}><span>${text}</span></span>`;
  }

  /** Moves the thumb between two drawings of the page. */
  point(at: number): void {
    setShare(this.#thumbElement, shareOf(this.#range, at));
  }

  #at(event: MouseEvent): number {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    return timeAt(this.#range, Math.min(1, Math.max(0, (event.clientX - left) / Math.max(1, width))));
  }

  readonly #onGrab = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.#events.onSeek(this.#at(event), false);
  };

  readonly #onDrag = (event: PointerEvent): void => {
    if ((event.currentTarget as Element).hasPointerCapture(event.pointerId))
      this.#events.onSeek(this.#at(event), false);
  };

  readonly #onDrop = (event: PointerEvent): void => {
    if ((event.currentTarget as Element).hasPointerCapture(event.pointerId)) this.#events.onSeek(this.#at(event), true);
  };

  /** The wheel zooms around the pointer; sideways it moves the range. */
  readonly #onWheel = (event: WheelEvent): void => {
    if (!isZoomOf(event)) return;
    event.preventDefault();
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (isSideways) this.move((event.deltaX || event.deltaY) / 1_000);
    else this.zoom(1.002 ** event.deltaY, this.#at(event));
  };

  #onKey(event: KeyboardEvent, at: number): void {
    const length = lengthOf(this.#range);
    const small = Math.max(1_000, Math.round(length / 100_000) * 1_000);
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: at - small,
      ArrowDown: at - small,
      ArrowRight: at + small,
      ArrowUp: at + small,
      PageDown: at - length / 10,
      PageUp: at + length / 10,
      Home: this.#range.from,
      End: this.#range.to,
    };
    const to = moves[event.key];
    const factor = { "+": 0.5, "-": 2 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || (to === undefined && factor === undefined)) return;
    event.preventDefault();
    if (to !== undefined) this.#events.onSeek(to, true);
    else if (factor !== undefined) this.zoom(factor, at);
  }

  stop(): void {
    clearTimeout(this.#settling);
    this.#density.stop();
  }
}

const seconds = (ms: number): number => Math.round(ms / 1_000);
