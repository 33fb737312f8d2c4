// The objects of each zone with the time that they have been there; then those that are in none.
import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { shortId } from "../picture/paint/objects.ts";
import type { Scene, SceneStay, SceneZone } from "../picture/scene.ts";
import { tagColour } from "../picture/tag-colour.ts";
import { CONSOLE } from "./frame.ts";
import type { ShownRows } from "./shown-rows.ts";
import { loading } from "./states.ts";
import { tagMark } from "./tag-mark.ts";
import { fractionText, type Times } from "./times.ts";

export interface WhoIsWhere {
  readonly scene: Scene;
  readonly times: Times;
  readonly dataSourceId: string;
  /** The moment that links to tracks keep; undefined while the page is live. */
  readonly at: number | undefined;
  /** Whether what the scene has is incomplete, or of another moment, until an answer comes. */
  readonly isLoading: boolean;
  /** The track that the address names. */
  readonly named: string | undefined;
  readonly rows: ShownRows;
  /** A track that is pointed at in the list, or none. */
  readonly onPoint: (trackId: string | undefined) => void;
}

/** The list of those that are in no zone, beside the ids of zones. */
const ELSEWHERE = "";

export function whoIsWhere(parts: WhoIsWhere): TemplateResult {
  return html`<section class="card who-is-where" aria-label="Who is in which zone">
    <h2>In zones${parts.at === undefined ? nothing : ` at ${parts.times.short(parts.at)}${fractionText(parts.at)}`}</h2>
    ${parts.isLoading ? loading("who was there") : zonesView(parts)}
  </section>`;
}

function zonesView(parts: WhoIsWhere): TemplateResult {
  const { scene, at } = parts;
  const byZone = Map.groupBy(scene.stays, ({ zoneId }) => zoneId);
  const inside = new Set(scene.stays.map(({ trackId }) => trackId));
  const elsewhere = [...scene.objects.keys()].filter((trackId) => !inside.has(trackId));
  const noZone = at === undefined ? "This camera has no zone yet." : "This camera had no zone at this moment.";
  return html`${scene.zones.length === 0 ? html`<p class="quiet-text">${noZone}</p>` : nothing}
    ${repeat(
      scene.zones,
      ({ id }) => id,
      (zone) => zoneView(zone, byZone.get(zone.id) ?? [], parts),
    )}
    ${elsewhere.length === 0 ? nothing : elsewhereView(elsewhere, parts)}`;
}

const zoneView = (zone: SceneZone, stays: readonly SceneStay[], parts: WhoIsWhere): TemplateResult =>
  html`<h3 class=${stays.length === 0 ? "quiet-text" : ""}>
      <bdi>${zone.name}</bdi> <span class="count">${stays.length}</span> ${zone.isActive ? nothing : html`<small>not active</small>`}
    </h3>
    ${
      stays.length === 0
        ? nothing
        : html`<ul>
          ${repeat(
            parts.rows.of(
              zone.id,
              stays.toSorted((a, b) => a.since - b.since),
            ),
            ({ trackId }) => trackId,
            ({ trackId, since }) => rowView(trackId, parts.times.length(Math.max(0, parts.scene.at - since)), parts),
          )}
          ${parts.rows.more(zone.id, stays.length)}
        </ul>`
    }`;

const elsewhereView = (trackIds: readonly string[], parts: WhoIsWhere): TemplateResult =>
  html`<h3 class="quiet-text">In no zone <span class="count">${trackIds.length}</span></h3>
    <ul>
      ${repeat(
        parts.rows.of(ELSEWHERE, trackIds),
        (trackId) => trackId,
        (trackId) => rowView(trackId, "", parts),
      )}
      ${parts.rows.more(ELSEWHERE, trackIds.length)}
    </ul>`;

function rowView(
  trackId: string,
  dwell: string,
  { scene, dataSourceId, at, named, onPoint }: WhoIsWhere,
): TemplateResult {
  const tag = scene.objects.get(trackId)?.tag ?? "";
  const point = () => onPoint(trackId);
  const leave = () => onPoint(undefined);
  return html`<li>
    <a
      href=${trackPath(dataSourceId, trackId, at)}
      title=${trackId}
      aria-current=${trackId === named ? "true" : nothing}
      @pointerenter=${point}
      @pointerleave=${leave}
      @focus=${point}
      @blur=${leave}
      >${tagMark(tagColour(tag))}<bdi>${tag}</bdi> <code>${shortId(trackId)}</code></a
    >
    <span class="dwell">${dwell}</span>
  </li>`;
}

/** @param at a past moment that the page of the track shows. */
export const trackPath = (dataSourceId: string, trackId: string, at?: number): string => {
  const moment = at === undefined ? "" : `?at=${new Date(at).toISOString()}`;
  return `${CONSOLE}/tracks/${encodeURIComponent(dataSourceId)}/${encodeURIComponent(trackId)}${moment}`;
};
