import { html, type TemplateResult } from "lit-html";
import { copyButton } from "../copy.ts";

/** A secret that only one answer has shown. */
export const secretNote = (title: string, secret: string, text: string, onDone: () => void): TemplateResult =>
  html`<section class="card secret" role="status">
    <h2>${title}</h2>
    <p class="row"><code>${secret}</code> ${copyButton(secret, "Copy the secret")}</p>
    <p class="hint">${text} It is not shown again.</p>
    <button type="button" @click=${onDone}>I have it</button>
  </section>`;
