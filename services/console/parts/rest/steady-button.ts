import { html, nothing, type TemplateResult } from "lit-html";

interface SteadyButtonParts {
  readonly text: string;
  readonly act: () => void;
  readonly isBusy: boolean;
  readonly kind?: string;
  /** Name for screen readers, where the text alone is not enough. */
  readonly label?: string;
}

/** Does nothing while it is busy, and keeps the focus: a button that is disabled loses it. */
export const steadyButton = ({ text, act, isBusy, kind = "", label }: SteadyButtonParts): TemplateResult =>
  html`<button
    type="button"
    class=${kind}
    aria-label=${label ?? nothing}
    aria-disabled=${isBusy}
    @click=${isBusy ? nothing : act}
  >${text}</button>`;
