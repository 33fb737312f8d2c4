// The stream of intersections, the newest first.
import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { Crossing } from "../data/crossings.ts";
import type { ApiError } from "../data/errors.ts";
import { LONGEST_STAY_MS } from "../data/past-crossings.ts";
import { shortId } from "../picture/paint/objects.ts";
import { tagColour } from "../picture/tag-colour.ts";
import { loading, refused } from "./states.ts";
import { tagMark } from "./tag-mark.ts";
import { fractionText, type Times } from "./times.ts";
import { trackPath } from "./who-is-where.ts";

const MOST_ROWS = 50;

export interface CrossingsList {
  /** Undefined while they are on their way. */
  readonly crossings: readonly Crossing[] | undefined;
  readonly times: Times;
  readonly dataSourceId: string;
  /** The past moment until which they are listed; undefined while the page is live. */
  readonly until: number | undefined;
  readonly error: ApiError | undefined;
  /** There are more stays than were loaded. */
  readonly isCut: boolean;
  /** Repeats the question that failed. */
  readonly onAgain: () => void;
}

export const crossingsList = (parts: CrossingsList): TemplateResult =>
  html`<section class="card crossings" aria-label="Intersections">
    <h2>Entered and left${parts.until === undefined ? nothing : ` until ${parts.times.short(parts.until)}${fractionText(parts.until)}`}</h2>
    ${parts.error === undefined ? nothing : refused(parts.error, parts.onAgain)} ${rowsView(parts)}
    ${parts.crossings === undefined ? nothing : leftOut(parts.crossings.length, parts)}
  </section>`;

function rowsView(parts: CrossingsList) {
  const { crossings, until, error } = parts;
  if (crossings === undefined) return error === undefined ? loading("intersections") : nothing;
  if (crossings.length === 0)
    return html`<p class="quiet-text">
      Nobody ${until === undefined ? "has entered or left a zone in the last 15 minutes" : "had entered or left a zone in the 15 minutes before"}.
    </p>`;
  return html`<ol tabindex="0" aria-label="Newest first">
    ${repeat(
      crossings.slice(0, MOST_ROWS),
      ({ stayId, isEnd }) => `${stayId} ${isEnd}`,
      (crossing) => rowView(crossing, parts),
    )}
  </ol>`;
}

/** Says what the list does not have. */
function leftOut(count: number, { until, isCut, times }: CrossingsList) {
  const texts = [
    count > MOST_ROWS ? `The newest ${MOST_ROWS} are shown.` : "",
    isCut ? "There are more stays than can be loaded: crossings are missing." : "",
    until === undefined ? "" : `The end of a stay of more than ${times.length(LONGEST_STAY_MS)} is not listed.`,
  ].filter(Boolean);
  return texts.length === 0 ? nothing : html`<p class="hint">${texts.join(" ")}</p>`;
}

const rowView = (
  { isEnd, at, since, tag, trackId, zoneName }: Crossing,
  { times, dataSourceId, until }: CrossingsList,
): TemplateResult =>
  html`<li>
    <time>${times.clock(at)}</time>
    <span class="what"
      >${tagMark(tagColour(tag))}<bdi>${tag}</bdi>
      <a href=${trackPath(dataSourceId, trackId, until && at)} title=${trackId}><code>${shortId(trackId)}</code></a>
      ${isEnd ? "left" : "entered"} <strong><bdi>${zoneName}</bdi></strong>
      ${isEnd ? html`<span class="quiet-text">after ${times.length(at - since)}</span>` : nothing}</span
    >
  </li>`;
