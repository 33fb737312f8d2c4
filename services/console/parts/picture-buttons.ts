import { html, type TemplateResult } from "lit-html";

const STEP = 1.5;

export const pictureButtons = (zoom: (factor: number) => void, showAll: () => void): TemplateResult =>
  html`<div class="picture-buttons" role="group" aria-label="Zoom">
    <button type="button" aria-label="Zoom in" title="Zoom in (+)" @click=${() => zoom(STEP)}>+</button>
    <button type="button" aria-label="Zoom out" title="Zoom out (-)" @click=${() => zoom(1 / STEP)}>−</button>
    <button type="button" title="Show everything (0)" @click=${showAll}>All</button>
  </div>`;
