import { html, svg, type TemplateResult } from "lit-html";

/** A square in a colour, beside the name that has it. */
export const colourMark = (colour: string): TemplateResult =>
  html`<svg class="colour-mark" width="10" height="10" aria-hidden="true">
    ${svg`<rect width="10" height="10" rx="2" fill=${colour} />`}
  </svg>`;
