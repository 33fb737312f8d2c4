import { html, type TemplateResult } from "lit-html";

const SHOWN_MS = 2_000;

/** Copies a text, and says beside the button whether it did. */
export const copyButton = (text: string, label = "Copy"): TemplateResult => {
  const copy = async ({ currentTarget }: Event) => {
    const note = (currentTarget as HTMLButtonElement).nextElementSibling;
    if (note === null) return;
    const { isCopied, says } = await copied(navigator.clipboard, text);
    note.textContent = says;
    // A refusal stays: it says what to do instead.
    if (isCopied) setTimeout(() => note.replaceChildren(), SHOWN_MS);
  };
  return html`<button type="button" @click=${copy}>${label}</button>
    <span class="quiet-text" role="status"></span>`;
};

/** @param clipboard undefined in a page that was not loaded over HTTPS. */
export async function copied(
  clipboard: Pick<Clipboard, "writeText"> | undefined,
  text: string,
): Promise<{ readonly isCopied: boolean; readonly says: string }> {
  try {
    if (clipboard === undefined) throw new Error("no clipboard");
    await clipboard.writeText(text);
    return { isCopied: true, says: "✓ Copied" };
  } catch {
    return { isCopied: false, says: "The browser did not allow it. Select the text instead." };
  }
}
