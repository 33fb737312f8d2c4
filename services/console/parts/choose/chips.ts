// The chosen values, below their field. A button takes each of them out again.
import { html, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { isolated } from "../../picture/isolated.ts";

export interface ChipsParts {
  readonly label: string;
  readonly values: readonly string[];
  readonly nameOf: (value: string) => string;
  readonly onValues: (values: readonly string[]) => void;
}

export const chips = ({ label, values, nameOf, onValues }: ChipsParts): TemplateResult => {
  const remove = ({ currentTarget }: Event, value: string) => {
    // The button goes, so the focus moves to the field before it would be nowhere.
    (currentTarget as Element).closest(".field")?.querySelector("input")?.focus();
    onValues(values.filter((each) => each !== value));
  };
  return html`${repeat(
    values,
    (value) => value,
    (value) =>
      html`<button
        type="button"
        class="chip"
        aria-label="Remove ${label} ${isolated(nameOf(value))}"
        title=${value}
        @click=${(event: Event) => remove(event, value)}
      >
        <bdi>${nameOf(value)}</bdi> <span aria-hidden="true">×</span>
      </button>`,
  )}`;
};
