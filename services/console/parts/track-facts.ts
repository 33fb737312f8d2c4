// Facts about a track, links to the same moment elsewhere, and the tracks near it.
import { html, type TemplateResult } from "lit-html";
import type { TrackHeader, TrackRef } from "../data/track-questions.ts";
import type { Neighbour } from "../past/path.ts";
import { CONSOLE } from "./frame.ts";
import type { Times } from "./times.ts";
import { trackPath } from "./who-is-where.ts";

export function trackFacts({ camera, startTime, endTime, detections, properties }: TrackHeader, times: Times) {
  const facts: readonly (readonly [name: string, value: string])[] = [
    ["Camera", camera],
    ["From", times.full(startTime)],
    ["To", endTime === null ? "still tracked" : times.full(endTime)],
    ...(endTime === null ? [] : [["Length", times.length(endTime - startTime)] as const]),
    ["Detections", detections.toLocaleString("en")],
    ...properties,
  ];
  return html`<dl class="track-facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** @param at the chosen moment; undefined while there is none. */
export function trackLinks({ dataSourceId, trackId }: TrackRef, at: number | undefined): TemplateResult {
  const query = new URLSearchParams({ ...(at !== undefined && { at: new Date(at).toISOString() }), track: trackId });
  // Colons are allowed in a query, and an address that people read is better with them.
  const camera = `${CONSOLE}/cameras/${encodeURIComponent(dataSourceId)}?${query.toString().replaceAll("%3A", ":")}`;
  return html`<p class="row">
    <a href=${camera}>The camera at this moment</a>
    <a href="${CONSOLE}/replays?${new URLSearchParams({ tracks: trackId, dataSource: dataSourceId })}"
      >Replay this track</a
    >
  </p>`;
}

export function neighbourList(
  neighbours: readonly Neighbour[],
  dataSourceId: string,
  at: number | undefined,
): TemplateResult {
  if (neighbours.length === 0) return html`<p class="hint">It was alone at this moment.</p>`;
  return html`<table>
    <thead>
      <tr>
        <th>Track</th>
        <th class="number">Distance</th>
      </tr>
    </thead>
    <tbody>
      ${neighbours.map(
        ({ trackId, tag, distance }) =>
          html`<tr>
            <td><a href=${trackPath(dataSourceId, trackId, at)}><bdi>${tag}</bdi> <code>${trackId}</code></a></td>
            <td class="number">${Math.round(distance)} px</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
