import { html, type TemplateResult } from "lit-html";
import { ref } from "lit-html/directives/ref.js";

/** A small square in the colour of a tag, beside the name of the tag. */
export const tagMark = (colour: string): TemplateResult =>
  html`<span
    class="tag-mark"
    aria-hidden="true"
    ${ref((mark) => {
      if (mark instanceof HTMLElement) mark.style.background = colour;
    })}
  ></span>`;
