import { html, type TemplateResult } from "lit-html";
import { WHEEL_HINT } from "./wheel.ts";

const STEP = 1.5;

export function pictureButtons(
  zoom: (factor: number) => void,
  showAll: () => void,
  hasWheel: boolean = false,
): TemplateResult {
  const wheel = hasWheel ? `, or ${WHEEL_HINT}` : "";
  return html`<div class="picture-buttons" role="group" aria-label="Zoom">
    <button type="button" aria-label="Zoom in" title=${`Zoom in (+${wheel})`} @click=${() => zoom(STEP)}>+</button>
    <button type="button" aria-label="Zoom out" title=${`Zoom out (-${wheel})`} @click=${() => zoom(1 / STEP)}>−</button>
    <button type="button" title="Show everything (0)" @click=${showAll}>All</button>
  </div>`;
}
