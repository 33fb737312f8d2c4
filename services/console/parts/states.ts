// How a page shows that something is empty, on its way, slow or refused.
import { html, nothing, type TemplateResult } from "lit-html";
import type { ApiError } from "../data/errors.ts";

/** Styles show it only after a moment, so that a quick answer does not flicker. */
export const loading = (what: string): TemplateResult =>
  html`<p class="state loading" role="status">Loading ${what} …</p>`;

export const empty = (text: string, more: TemplateResult | typeof nothing = nothing): TemplateResult =>
  html`<div class="state empty"><p>${text}</p>${more}</div>`;

/** @param again repeats what failed. */
export const refused = (error: ApiError, again?: () => void): TemplateResult =>
  html`<div class="state refused" role="alert">
    <p>${error.message}${error.path === undefined ? nothing : html` <code>${error.path}</code>`}</p>
    ${again === undefined ? nothing : html`<button type="button" @click=${again}>Try again</button>`}
  </div>`;
