import { html, type TemplateResult } from "lit-html";

/** Copies a text, and says so on the button itself for a moment. */
export const copyButton = (text: string, label = "Copy"): TemplateResult => {
  const copy = async ({ currentTarget }: Event) => {
    const button = currentTarget as HTMLButtonElement;
    await navigator.clipboard.writeText(text).then(
      () => button.setAttribute("data-copied", "Copied"),
      () => button.setAttribute("data-copied", "The browser refused it"),
    );
    setTimeout(() => button.removeAttribute("data-copied"), 2_000);
  };
  return html`<button type="button" class="copy" aria-live="polite" @click=${copy}>${label}</button>`;
};
