// Asks for a token.
import { html, nothing, type TemplateResult } from "lit-html";
import { type Token, tokenIn } from "../data/session.ts";

/** @param wasRefused whether the server refused the last token. */
export function loginView(wasRefused: boolean, onToken: (token: Token) => void): TemplateResult {
  const enter = (event: SubmitEvent) => {
    event.preventDefault();
    const data = new FormData(event.target as HTMLFormElement);
    const textOf = (name: string) => String(data.get(name) ?? "").trim();
    onToken({ id: textOf("id"), value: textOf("value") });
  };
  /** People paste the whole link that `npm start` has printed. */
  const take = (event: InputEvent) => {
    const input = event.target as HTMLInputElement;
    const token = tokenIn(input.value);
    const value = input.form?.elements.namedItem("value");
    if (token === undefined || !(value instanceof HTMLInputElement)) return;
    input.value = token.id;
    value.value = token.value;
  };
  return html`<main class="login">
    <h1>tracklog</h1>
    ${wasRefused ? html`<p class="state refused" role="alert">The server refused this token.</p>` : nothing}
    <form @submit=${enter}>
      <label>Token id, or the whole link <input name="id" required autocomplete="off" autofocus @input=${take} /></label>
      <label>Token value <input name="value" type="password" required autocomplete="off" /></label>
      <button type="submit">Open</button>
    </form>
    <p class="hint">
      <code>npm start</code> prints a link that holds a token; <code>npm run tokens</code> makes one. This page keeps it
      until the tab is closed.
    </p>
  </main>`;
}
