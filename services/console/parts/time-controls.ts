// The buttons of a time line.
import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { DAY_MS, HOUR_MS } from "../../../schemas/units.ts";
import { SPEEDS } from "../past/playback.ts";
import { lengthOf, type Range, WEEK_MS } from "../past/scale.ts";
import type { App } from "./app.ts";
import { TIME_KEYS, type TimeActions, WHERE_KEYS_WORK } from "./time-keys.ts";
import { fractionText } from "./times.ts";
import { WHEEL_HINT } from "./wheel.ts";

/** The range that a time line shows first. */
export const FIRST_RANGE_MS = HOUR_MS;

const RANGES = [
  ["Hour", HOUR_MS],
  ["Day", DAY_MS],
  ["Week", WEEK_MS],
] as const;

export interface TimeControlsState {
  readonly app: App;
  /** Undefined while the page is live. */
  readonly at: number | undefined;
  readonly isPlaying: boolean;
  readonly isLate: boolean;
  readonly speed: number;
  readonly range: Range;
  readonly isHeatShown: boolean;
  readonly does: TimeActions & {
    readonly setSpeed: (speed: number) => void;
    readonly seek: (at: number) => void;
    readonly showLast: (ms: number) => void;
    /** The range moves by this share of its length. */
    readonly move: (share: number) => void;
    readonly zoom: (factor: number) => void;
    readonly toggleHeat: () => void;
  };
}

export const timeControls = (state: TimeControlsState): TemplateResult =>
  html`<div class="row time-controls">${playButtons(state)} ${momentField(state)} ${rangeButtons(state)}</div>`;

function playButtons({ at, isPlaying, speed, does }: TimeControlsState): TemplateResult {
  const isLive = at === undefined;
  const setSpeed = (event: Event) => does.setSpeed(Number((event.target as HTMLSelectElement).value));
  return html`<div class="row" role="group" aria-label="Playback">
    <button type="button" class="live" aria-pressed=${isLive} @click=${does.live} title=${`Back to the present (${TIME_KEYS.live}: ${WHERE_KEYS_WORK})`}>
      Live <kbd>${TIME_KEYS.live}</kbd>
    </button>
    <button type="button" @click=${() => does.step(false)} title=${`The frame before (${TIME_KEYS.before}: ${WHERE_KEYS_WORK})`} aria-label="The frame before">
      ‹ <kbd>${TIME_KEYS.before}</kbd>
    </button>
    <button type="button" @click=${does.togglePlay} title=${`${TIME_KEYS.play}: ${WHERE_KEYS_WORK}`}>
      ${isLive || isPlaying ? "Pause" : "Play"} <kbd>${TIME_KEYS.play}</kbd>
    </button>
    <button type="button" @click=${() => does.step(true)} ?disabled=${isLive} title=${`The next frame (${TIME_KEYS.after}: ${WHERE_KEYS_WORK})`} aria-label="The next frame">
      › <kbd>${TIME_KEYS.after}</kbd>
    </button>
    <select aria-label="Speed" .value=${live(String(speed))} @change=${setSpeed}>
      ${SPEEDS.map((each) => html`<option value=${each} ?selected=${each === speed}>${each} ×</option>`)}
    </select>
  </div>`;
}

function momentField({ app, at, isPlaying, isLate, does }: TimeControlsState): TemplateResult {
  const seek = (event: Event) => {
    // The value has no zone, so it is read as the clock of the browser shows it.
    const ms = Date.parse((event.target as HTMLInputElement).value);
    if (!Number.isNaN(ms)) does.seek(ms);
  };
  const value = at === undefined ? "" : app.times.full(at).replace(" ", "T");
  // Frames may be of one second. A playback passes them too fast to read more than seconds.
  const fraction = at === undefined || isPlaying ? "" : fractionText(at);
  return html`<label class="moment">
    <span class="only-read">Moment</span>
    <input type="datetime-local" step=${fraction === "" ? "1" : "0.001"} .value=${live(value + fraction)} @change=${seek} />
    ${isLate ? html`<span class="quiet-text loading" role="status">Loading …</span>` : nothing}
  </label>`;
}

const rangeButtons = ({ range, isHeatShown, does }: TimeControlsState) =>
  html`<div class="row ranges" role="group" aria-label="Range">
    <button type="button" @click=${() => does.move(-0.5)} title="Earlier" aria-label="Earlier">«</button>
    ${RANGES.map(
      ([name, ms]) =>
        html`<button type="button" aria-pressed=${lengthOf(range) === ms} @click=${() => does.showLast(ms)}>
          ${name}
        </button>`,
    )}
    <button type="button" @click=${() => does.zoom(0.5)} title=${`Shorter range (${WHEEL_HINT})`} aria-label="Shorter range">+</button>
    <button type="button" @click=${() => does.zoom(2)} title=${`Longer range (${WHEEL_HINT})`} aria-label="Longer range">−</button>
    <button type="button" @click=${() => does.move(0.5)} title="Later" aria-label="Later">»</button>
    <button type="button" aria-pressed=${isHeatShown} @click=${does.toggleHeat}>Heat map</button>
  </div>`;
