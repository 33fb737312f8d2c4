// The stream of intersections, the newest first.
import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { Crossing } from "../data/crossings.ts";
import { shortId } from "../picture/paint/objects.ts";
import { tagColour } from "../picture/tag-colour.ts";
import { tagMark } from "./tag-mark.ts";
import type { Times } from "./times.ts";
import { trackPath } from "./who-is-where.ts";

const MOST_ROWS = 50;

export const crossingsList = (crossings: readonly Crossing[], times: Times, dataSourceId: string): TemplateResult =>
  html`<section class="card crossings" aria-label="Intersections">
    <h2>Entered and left</h2>
    ${
      crossings.length === 0
        ? html`<p class="quiet-text">Nobody has entered or left a zone in the last 15 minutes.</p>`
        : html`<ol tabindex="0" aria-label="Newest first">
          ${repeat(
            crossings.slice(0, MOST_ROWS),
            ({ stayId, isEnd }) => `${stayId} ${isEnd}`,
            (crossing) => rowView(crossing, times, dataSourceId),
          )}
        </ol>`
    }
  </section>`;

const rowView = ({ isEnd, at, since, tag, trackId, zoneName }: Crossing, times: Times, dataSourceId: string) =>
  html`<li>
    <time>${times.clock(at)}</time>
    <span class="what"
      >${tagMark(tagColour(tag))}${tag}
      <a href=${trackPath(dataSourceId, trackId)} title=${trackId}><code>${shortId(trackId)}</code></a>
      ${isEnd ? "left" : "entered"} <strong>${zoneName}</strong>
      ${isEnd ? html`<span class="quiet-text">after ${times.length(at - since)}</span>` : nothing}</span
    >
  </li>`;
