// The axis of a time line: round times, and dragging that moves the range.

import { html, type TemplateResult } from "lit-html";
import { DAY_MS, MINUTE_MS } from "../../../schemas/units.ts";
import { serverNow } from "../data/clock.ts";
import { lengthOf, movedRange, offsetsOf, type Range, shareOf, ticksOf } from "../past/scale.ts";
import { placed } from "./placed.ts";
import type { Times } from "./times.ts";

/** The width of the page that a label needs. */
const TICK_PIXELS = 110;

export class TimeAxis {
  readonly #times: Times;
  readonly #onMove: (range: Range) => void;
  readonly #offsetAt: (at: number) => number;
  #range: Range;
  /** The place of the pointer and the range when a drag began. */
  #grip: { readonly x: number; readonly range: Range } | undefined;

  constructor(times: Times, range: Range, onMove: (range: Range) => void) {
    this.#times = times;
    this.#range = range;
    this.#onMove = onMove;
    this.#offsetAt = offsetsOf(times.zone);
  }

  view(range: Range): TemplateResult {
    this.#range = range;
    const most = Math.max(2, Math.floor(innerWidth / TICK_PIXELS));
    const { stepMs, times } = ticksOf(range, most, this.#offsetAt);
    return html`<div
      class="axis"
      aria-hidden="true"
      @pointerdown=${this.#onGrip}
      @pointermove=${this.#onPull}
      @pointerup=${this.#onRelease}
      @pointercancel=${this.#onRelease}
    >
      ${times.map((at) => html`<span ${placed(shareOf(range, at))}>${tickText(this.#times.full(at), stepMs)}</span>`)}
    </div>`;
  }

  readonly #onGrip = (event: PointerEvent): void => {
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.#grip = { x: event.clientX, range: this.#range };
  };

  readonly #onPull = (event: PointerEvent): void => {
    if (this.#grip === undefined) return;
    const share = (this.#grip.x - event.clientX) / (event.currentTarget as Element).clientWidth;
    this.#onMove(movedRange(this.#grip.range, share * lengthOf(this.#range), serverNow()));
  };

  readonly #onRelease = (): void => {
    this.#grip = undefined;
  };
}

/** @param full for example 2026-11-24 14:03:07. */
function tickText(full: string, stepMs: number): string {
  const [date, clock] = [full.slice(5, 10), full.slice(11)];
  if (stepMs >= DAY_MS || clock === "00:00:00") return date;
  return stepMs >= MINUTE_MS ? clock.slice(0, 5) : clock;
}
