// A field in which objects are found by their names and chosen: a combobox with a list that the server fills.
import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import type { ChoiceNames } from "../../data/choice-names.ts";
import { type FoundChoices, findChoices, type ObjectChoice } from "../../data/choices.ts";
import type { ChoiceKind } from "../../questions/choice-kinds.ts";
import type { App } from "../app.ts";
import { Loaded } from "../loaded.ts";
import { chips } from "./chips.ts";
import { afterKey, CLOSED_LIST, OPENED_LIST, type OptionList } from "./list-keys.ts";

export type ChoiceSource = Pick<App, "ask" | "redraw" | "times">;

export interface ChoiceParts {
  /** Unique on the page. */
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
  readonly onValues: (values: readonly string[]) => void;
  /** A refusal of the values. */
  readonly fault?: TemplateResult | typeof nothing;
  /** Whether the values belong to the form around the field. */
  readonly isOfForm?: boolean;
}

/** Letters that follow one another quickly are one question. */
const TYPING_MS = 150;

export class ChoiceField {
  readonly #source: ChoiceSource;
  readonly #kind: ChoiceKind;
  readonly #names: ChoiceNames;
  #text = "";
  #list: OptionList = CLOSED_LIST;
  /** Nothing is asked for before the list is opened. */
  #found: Loaded<FoundChoices> | undefined;
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(source: ChoiceSource, kind: ChoiceKind, names: ChoiceNames) {
    this.#source = source;
    this.#kind = kind;
    this.#names = names;
  }

  view(parts: ChoiceParts): TemplateResult {
    const { name, label, values, onValues, fault = nothing, isOfForm = false } = parts;
    const id = `choose-${name}`;
    const { isOpen, active } = this.#list;
    const options = this.#options;
    const hasList = isOpen && options.length > 0;
    return html`<div class="field choose" @focusout=${(event: FocusEvent) => this.#leave(event)}>
      <label>
        <span>${label}</span>
        <input
          id=${id}
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck="false"
          placeholder=${values.length === 0 ? "Any" : "One more …"}
          aria-autocomplete="list"
          aria-expanded=${hasList ? "true" : "false"}
          aria-controls=${hasList ? `${id}-list` : nothing}
          aria-activedescendant=${hasList && active >= 0 ? `${id}-${active}` : nothing}
          aria-invalid=${fault === nothing ? "false" : "true"}
          aria-describedby=${fault === nothing ? nothing : `${id}-fault`}
          .value=${live(this.#text)}
          @input=${(event: Event) => this.#type((event.target as HTMLInputElement).value)}
          @click=${() => this.#open()}
          @keydown=${(event: KeyboardEvent) => this.#press(event, parts)}
        />
      </label>
      ${isOpen ? this.#listView(id, hasList, parts) : nothing}
      ${chips({ label, values, nameOf: (value) => this.#names.nameOf(this.#kind, value), onValues })}
      ${fault === nothing ? nothing : html`<span id="${id}-fault">${fault}</span>`}
      ${isOfForm ? values.map((value) => html`<input type="hidden" name=${name} value=${value} />`) : nothing}
    </div>`;
  }

  stop(): void {
    clearTimeout(this.#typing);
    this.#found?.stop();
  }

  get #options(): readonly ObjectChoice[] {
    return this.#found?.value?.choices ?? [];
  }

  #listView(id: string, hasList: boolean, parts: ChoiceParts): TemplateResult {
    const { label, values } = parts;
    // The focus stays in the field: a press on the list or its scroll bar takes it away otherwise.
    return html`<div class="choose-list" @mousedown=${(event: Event) => event.preventDefault()}>
      ${
        hasList
          ? html`<ul id="${id}-list" role="listbox" aria-label=${label} aria-multiselectable="true">
              ${this.#options.map((option, place) => {
                const isChosen = values.includes(option.value);
                return html`<li
                  id="${id}-${place}"
                  role="option"
                  class=${place === this.#list.active ? "active" : ""}
                  aria-selected=${isChosen ? "true" : "false"}
                  @click=${() => this.#choose(option, parts)}
                >
                  <bdi>${option.name}</bdi> ${this.#groupView(option)}
                </li>`;
              })}
            </ul>`
          : nothing
      }
      <p class="hint" role="status">${this.#note()}</p>
    </div>`;
  }

  #groupView({ group }: ObjectChoice) {
    if (group === undefined) return nothing;
    const isTime = this.#kind === "activities" || this.#kind === "events";
    return html`<bdi class="hint">${isTime ? this.#source.times.full(Date.parse(group)) : group}</bdi>`;
  }

  #note(): string {
    const { value, error } = this.#found ?? {};
    if (error !== undefined) return error.message;
    if (value === undefined) return "Loading …";
    if (value.choices.length === 0) return this.#text === "" ? "There are none." : "No match.";
    return value.hasMore ? "There are more: type a part of the name." : "";
  }

  #open(): void {
    if (this.#list.isOpen) return;
    this.#list = OPENED_LIST;
    this.#load();
  }

  #type(text: string): void {
    this.#text = text;
    this.#list = OPENED_LIST;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#load(), TYPING_MS);
    this.#source.redraw();
  }

  #load(): void {
    clearTimeout(this.#typing);
    const text = this.#text.trim();
    const find = async (signal: AbortSignal): Promise<FoundChoices> => {
      const found = await findChoices(this.#source.ask, this.#kind, text, signal);
      // Enter takes the first one that has the text.
      if (text !== "" && this.#list.isOpen) this.#list = { isOpen: true, active: found.choices.length === 0 ? -1 : 0 };
      return found;
    };
    if (this.#found === undefined) this.#found = new Loaded(this.#source.redraw, find);
    else this.#found.load(find);
  }

  #press(event: KeyboardEvent, parts: ChoiceParts): void {
    if (event.isComposing) return;
    const outcome = afterKey(event.key, this.#list, this.#options.length, this.#text !== "");
    if (outcome === undefined) return;
    event.preventDefault();
    const option = this.#options[outcome.list.active];
    if (outcome.isChoice === true && option !== undefined) {
      this.#choose(option, parts);
      return;
    }
    const wasOpen = this.#list.isOpen;
    this.#list = outcome.list;
    if (outcome.isCleared === true) this.#text = "";
    if (!wasOpen && outcome.list.isOpen) this.#load();
    else this.#source.redraw();
    // After the drawing of this frame, which was asked for first.
    requestAnimationFrame(() =>
      document.getElementById(`choose-${parts.name}-${this.#list.active}`)?.scrollIntoView({ block: "nearest" }),
    );
  }

  /** The list stays, so that several are chosen one after the other. */
  #choose(option: ObjectChoice, { values, onValues }: ChoiceParts): void {
    this.#names.add(this.#kind, [option]);
    const others = values.filter((value) => value !== option.value);
    onValues(others.length === values.length ? [...values, option.value] : others);
  }

  #leave({ currentTarget, relatedTarget }: FocusEvent): void {
    if ((currentTarget as Element).contains(relatedTarget as Node | null)) return;
    this.stop();
    [this.#text, this.#list] = ["", CLOSED_LIST];
    // The list begins anew: what matched the text does not match nothing.
    if (this.#found !== undefined) this.#found.value = undefined;
    this.#source.redraw();
  }
}
