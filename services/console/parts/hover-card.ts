// Shows what the thing under the pointer is. A live region of the picture says it (`wordsOfHit`).
import { html, nothing, type TemplateResult } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import type { Hit } from "../picture/hit.ts";
import { countsOf } from "../picture/paint/zones.ts";
import type { Scene, SceneObject, SceneZone } from "../picture/scene.ts";
import type { Point } from "../picture/view.ts";
import type { Times } from "./times.ts";

/** @param place of the pointer on the picture, in CSS pixels. */
export const hoverCard = (hit: Hit, place: Point, scene: Scene, times: Times): TemplateResult =>
  html`<div class="hover-card" ${ref((card) => putBeside(card, place))}>
    ${hit.kind === "object" ? objectText(hit.object, scene, times) : zoneText(hit.zone, scene)}
  </div>`;

function objectText(pointed: SceneObject, scene: Scene, times: Times): TemplateResult {
  const object = scene.objects.get(pointed.trackId) ?? pointed;
  const names = new Map(scene.zones.map(({ id, name }) => [id, name]));
  const stays = scene.stays.filter(({ trackId }) => trackId === object.trackId);
  return html`<strong><bdi>${object.tag === "" ? "unknown" : object.tag}</bdi></strong> <code>${object.trackId}</code>
    ${stays.map(
      ({ zoneId, since }) =>
        html`<div>in <bdi>${names.get(zoneId) ?? zoneId}</bdi> for ${times.length(Math.max(0, scene.at - since))}</div>`,
    )}
    <div class="quiet-text">seen ${times.clock(object.at)}</div>`;
}

const zoneText = (zone: SceneZone, scene: Scene): TemplateResult =>
  html`<strong><bdi>${zone.name}</bdi></strong>
    <div>${countsOf(scene).get(zone.id) ?? 0} inside</div>
    ${zone.isActive ? nothing : html`<div class="quiet-text">not active: it counts nobody</div>`}`;

/** Right of and below the pointer, but within the picture. */
function putBeside(card: Element | undefined, [x, y]: Point): void {
  if (!(card instanceof HTMLElement) || card.parentElement === null) return;
  const { clientWidth, clientHeight } = card.parentElement;
  const left = Math.min(x + 14, clientWidth - card.offsetWidth - 4);
  const top = y + 14 + card.offsetHeight > clientHeight ? y - 14 - card.offsetHeight : y + 14;
  card.style.transform = `translate(${Math.max(0, left)}px, ${Math.max(0, top)}px)`;
}
