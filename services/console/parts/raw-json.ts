// JSON as text, with a button that copies it.
import { html, type TemplateResult } from "lit-html";
import { copyButton } from "./copy.ts";

export function rawJson(value: unknown): TemplateResult {
  const text = JSON.stringify(value, undefined, 2);
  return html`<div class="raw">
    <p class="row">${copyButton(text)}</p>
    <pre tabindex="0" aria-label="JSON">${text}</pre>
  </div>`;
}
