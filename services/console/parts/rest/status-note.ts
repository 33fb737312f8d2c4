import { html, type TemplateResult } from "lit-html";

/** The note is on the page before it has a text: screen readers announce changes alone. */
export const statusNote = (text: string): TemplateResult => html`<p class="status-note" role="status">${text}</p>`;
