// Fields of forms for the REST interface. A fault of a value is shown at its field.
import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { ApiError, Fault } from "../../data/errors.ts";
import { SIGNAL_FILTERS, type SignalType } from "../../data/signal-body.ts";
import type { ChoiceFields } from "../choose/choice-fields.ts";
import { refused } from "../states.ts";

/** Refusals of values, at the fields of these values. A pointer leads to a value in the body: `#/webhook_url`. */
export class FormFaults {
  readonly #error: ApiError | undefined;
  readonly #shown = new Set<Fault>();

  constructor(error: ApiError | undefined) {
    this.#error = error;
  }

  /** Faults of this value, or of a value in it. */
  at(pointer: string): TemplateResult | typeof nothing {
    const found = (this.#error?.faults ?? []).filter(
      (fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`),
    );
    for (const fault of found) this.#shown.add(fault);
    if (found.length === 0) return nothing;
    return html`<span class="fault" role="alert">${found.map(({ detail }) => detail).join("; ")}</span>`;
  }

  /** Whatever has no field: call it after all fields were drawn. */
  rest(): TemplateResult | typeof nothing {
    const error = this.#error;
    if (error === undefined) return nothing;
    const left = error.faults.filter((fault) => !this.#shown.has(fault));
    if (error.faults.length > 0 && left.length === 0)
      return html`<p class="fault" role="alert">The server refused some of the values above.</p>`;
    return left.length === 0
      ? refused(error)
      : html`<ul class="fault" role="alert">
          ${left.map(({ pointer, detail }) => html`<li><code>${pointer}</code> ${detail}</li>`)}
        </ul>`;
  }
}

interface FieldParts {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "url" | "number" | "password" | "datetime-local";
  readonly value?: string;
  readonly isRequired?: boolean;
  readonly hint?: string;
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: string;
  /** Pointer of the value; by default `#/name`. */
  readonly pointer?: string;
}

export const inputField = (
  { name, label, type = "text", value = "", isRequired = false, hint = "", pointer, ...limits }: FieldParts,
  faults: FormFaults,
): TemplateResult => {
  const fault = faults.at(pointer ?? `#/${name}`);
  return html`<label class="field">
    <span>${label}</span>
    <input
      name=${name}
      type=${type}
      value=${value}
      autocomplete="off"
      step=${type === "datetime-local" ? "1" : "any"}
      min=${limits.min ?? nothing}
      max=${limits.max ?? nothing}
      pattern=${limits.pattern ?? nothing}
      ?required=${isRequired}
      aria-invalid=${fault === nothing ? "false" : "true"}
    />
    ${fault} ${hint === "" ? nothing : html`<span class="hint">${hint}</span>`}
  </label>`;
};

export const selectField = (
  { name, label, value = "", hint = "", pointer }: Omit<FieldParts, "type">,
  options: readonly (readonly [value: string, name: string])[],
  faults: FormFaults,
): TemplateResult =>
  html`<label class="field">
    <span>${label}</span>
    <select name=${name}>
      ${options.map(([key, text]) => html`<option value=${key} ?selected=${key === value}>${text}</option>`)}
    </select>
    ${faults.at(pointer ?? `#/${name}`)} ${hint === "" ? nothing : html`<span class="hint">${hint}</span>`}
  </label>`;

export const linesField = (
  { name, label, value = "", hint = "One on each line", pointer }: Omit<FieldParts, "type">,
  faults: FormFaults,
): TemplateResult =>
  html`<label class="field">
    <span>${label}</span>
    <textarea name=${name} rows="2" .value=${value}></textarea>
    ${faults.at(pointer ?? `#/${name}`)} <span class="hint">${hint}</span>
  </label>`;

interface FilterParts {
  readonly signalType: SignalType;
  readonly chooser: ChoiceFields;
  readonly faults: FormFaults;
  /** Filters that the form has elsewhere. */
  readonly without?: readonly string[];
  /** Cameras that are chosen before anybody chooses. */
  readonly first?: readonly string[];
}

/** The filters that have an effect on this type of signals. Without any, every signal passes. */
export const filterFields = ({ signalType, chooser, faults, without = [], first = [] }: FilterParts): TemplateResult =>
  html`<fieldset class="part">
    <legend>Only signals of …</legend>
    <p class="hint">Without a choice, all of them pass.</p>
    <div class="fields">
      ${repeat(
        SIGNAL_FILTERS.filter(({ of, name }) => of.includes(signalType) && !without.includes(name)),
        ({ name }) => name,
        ({ name, label, from }) => {
          const pointer = `#/filters/${name}`;
          if (from === "lines") return linesField({ name, label, pointer }, faults);
          const fault = faults.at(pointer);
          return chooser.held({ kind: from, name, label, fault, first: from === "cameras" ? first : [] });
        },
      )}
    </div>
  </fieldset>`;

/** Fields that only batches, or only zones, have. */
export const shapeFields = (mode: string, signalType: SignalType, emitMode: string, faults: FormFaults) => {
  if (mode === "batch")
    return [
      inputField(
        { name: "batch_interval", label: "Seconds of a batch", type: "number", hint: "30 by default" },
        faults,
      ),
      inputField(
        { name: "pixel_proximity_threshold", label: "Interaction in pixels", type: "number", hint: "50 by default" },
        faults,
      ),
      inputField(
        { name: "geo_proximity_threshold_m", label: "Interaction in metres", type: "number", hint: "5 by default" },
        faults,
      ),
    ];
  if (signalType !== "zone_state") return nothing;
  const options = [
    ["all", "Every update"],
    ["composition", "When the number of objects of a tag changes"],
  ] as const;
  return [
    selectField({ name: "zone_emit_mode", label: "Updates of zones", value: emitMode }, options, faults),
    emitMode === "composition"
      ? inputField(
          { name: "heartbeat_seconds", label: "Heartbeat in seconds", type: "number", hint: "30 by default" },
          faults,
        )
      : nothing,
  ];
};
