// JSON as text, with a button that copies it.
import { html, type TemplateResult } from "lit-html";

export class RawJson {
  readonly #redraw: () => void;
  #note = "";

  constructor(redraw: () => void) {
    this.#redraw = redraw;
  }

  view(value: unknown): TemplateResult {
    const text = JSON.stringify(value, undefined, 2);
    return html`<div class="raw">
      <p class="row">
        <button type="button" @click=${() => this.#copy(text)}>Copy</button>
        <span class="quiet-text" role="status">${this.#note}</span>
      </p>
      <pre tabindex="0" aria-label="JSON">${text}</pre>
    </div>`;
  }

  #copy(text: string): void {
    // Without a secure origin, a browser has no clipboard.
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"));
    copied
      .then(
        () => "Copied.",
        () => "The browser did not allow it. Select the text instead.",
      )
      .then((note) => {
        this.#note = note;
        this.#redraw();
      });
  }
}
