// The stays of a track in zones: a lane for each zone, with how long it was there.
import { html, svg, type TemplateResult } from "lit-html";
import { lanesOf, type TrackStay } from "../past/path.ts";
import { type Range, shareOf } from "../past/scale.ts";
import type { Times } from "./times.ts";

const WIDE = 1_000;
const HIGH = 10;
/** A lane shows at most this many stays; its total counts all of them. */
const MOST_SHOWN = 500;

export interface TrackStaysState {
  readonly times: Times;
  readonly stays: readonly TrackStay[];
  /** The life of the track. */
  readonly range: Range;
  readonly at: number | undefined;
  readonly onPick: (at: number) => void;
}

export function trackStays(state: TrackStaysState): TemplateResult {
  const { times, stays, range, at } = state;
  const lanes = lanesOf(stays, range.to);
  if (lanes.length === 0) return html`<p class="hint">It was in no zone.</p>`;
  return html`<table class="stays">
    <thead>
      <tr>
        <th>Zone</th>
        <th>Stays from ${times.full(range.from)} to ${times.short(range.to, range.from)}</th>
        <th class="number">Dwell</th>
      </tr>
    </thead>
    <tbody>
      ${lanes.map(
        ({ zoneName, stays: ofZone, totalMs }) =>
          html`<tr>
            <td>${zoneName}</td>
            <td>
              <svg viewBox="0 0 ${WIDE} ${HIGH}" preserveAspectRatio="none" aria-hidden="true">
                ${ofZone.slice(0, MOST_SHOWN).map((stay) => bar(stay, range))} ${mark(at, range)}
              </svg>
              ${entries(ofZone, state)}
            </td>
            <td class="number">${times.length(totalMs)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function bar({ since, endedAt }: TrackStay, range: Range) {
  const left = Math.max(0, shareOf(range, since)) * WIDE;
  const right = Math.min(1, shareOf(range, endedAt ?? range.to)) * WIDE;
  return svg`<rect x=${left} y="1" width=${Math.max(2, right - left)} height=${HIGH - 2} />`;
}

const mark = (at: number | undefined, range: Range) =>
  at === undefined
    ? svg``
    : svg`<rect class="mark" x=${shareOf(range, at) * WIDE - 1} y="0" width="2" height=${HIGH} />`;

/** The first stays as buttons, which choose the moment at which they begin. */
const LISTED = 6;

const entries = (stays: readonly TrackStay[], { times, range, onPick }: TrackStaysState) =>
  html`<span class="row entries">
    ${stays.slice(0, LISTED).map(
      ({ since, endedAt }) =>
        html`<button type="button" class="quiet" @click=${() => onPick(since)}>
          ${times.short(since, range.from)}${endedAt === null ? ", still inside" : html`, ${times.length(endedAt - since)}`}
        </button>`,
    )}
    ${stays.length > LISTED ? html`<span class="quiet-text">and ${stays.length - LISTED} more</span>` : ""}
  </span>`;
