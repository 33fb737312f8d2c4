// The form of a question: its kind, its time, and its filters.

import { html, noChange, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { repeat } from "lit-html/directives/repeat.js";
import { HOUR_MS, MINUTE_MS } from "../../../../schemas/units.ts";
import { serverNow } from "../../data/clock.ts";
import { addressOf, isExcludable, timeFor } from "../../questions/address.ts";
import { questionOf, questions } from "../../questions/kinds.ts";
import type { Asked, AskedTime, Choice, Filter, Period, Question } from "../../questions/question.ts";
import { PRESETS } from "../../questions/times-of.ts";
import { chips } from "../choose/chips.ts";
import type { ChoiceFields } from "../choose/choice-fields.ts";
import { CONSOLE } from "../frame.ts";
import { timeInput } from "../time-input.ts";

export interface AskedFormParts {
  readonly asked: Asked;
  readonly period: Period;
  readonly chooser: ChoiceFields;
  readonly onChange: (asked: Asked) => void;
}

export const askedForm = (parts: AskedFormParts): TemplateResult => {
  const { asked, period, onChange } = parts;
  const question = questionOf(asked.of);
  return html`<nav class="kinds" aria-label="Kinds of questions">
      ${kindLinks("List", "list", asked)} ${kindLinks("Count", "count", asked)}
    </nav>
    <p class="about">${question.about}</p>
    <form class="asked" @submit=${(event: Event) => event.preventDefault()}>
      ${timeFields(question, asked, period, onChange)}
      ${filterFields(parts, question)}
    </form>`;
};

/** Another kind keeps the time, and those filters that it has as well. */
const kindLinks = (heading: string, form: Question["form"], asked: Asked) =>
  html`<div class="row">
    <span class="quiet-text">${heading}</span>
    ${questions
      .filter((question) => question.form === form)
      .map((question) => {
        const values = new Map([...asked.values].filter(([key]) => question.filters.some((each) => each.key === key)));
        const time = timeFor(question, asked.time);
        const [sort] = question.sorts;
        const next = {
          of: question.id,
          time,
          without: asked.without,
          relation: question.relations(time).find(({ key }) => key === asked.relation)?.key ?? "",
          values,
          sort: sort === undefined ? "" : `-${sort.key}`,
          by: question.groups[1]?.key ?? "",
          size: "",
          view: "",
        };
        const current = question.id === asked.of ? "page" : "false";
        return html`<a href=${CONSOLE + addressOf(next)} aria-current=${current}>${question.name}</a>`;
      })}
  </div>`;

/** A moment becomes a range that reaches so far to both sides. */
const AROUND_MS = 5 * MINUTE_MS;
const RANGE = "range";
const MOMENT = "moment";
const ALWAYS = "always";

function timeFields(question: Question, asked: Asked, period: Period, onChange: AskedFormParts["onChange"]) {
  const { time } = asked;
  // Another kind of time has other relations.
  const set = (next: AskedTime) =>
    onChange({ ...asked, time: next, relation: next.kind === time.kind ? asked.relation : "" });
  const choose = ({ target }: Event) => {
    const chosen = (target as HTMLSelectElement).value;
    const now = Math.floor(serverNow() / 1_000) * 1_000;
    const known = period ?? { from: now - HOUR_MS, to: now, isMoment: false };
    const { from, to, isMoment } = known;
    if (chosen === ALWAYS) set({ kind: "always" });
    else if (chosen === MOMENT) set({ kind: "moment", at: Math.floor(to / 1_000) * 1_000 });
    else if (chosen !== RANGE) set({ kind: "last", last: chosen });
    else set({ kind: "range", from: isMoment ? from - AROUND_MS : from, to: isMoment ? to + AROUND_MS : to });
  };
  const current = time.kind === "last" ? time.last : time.kind;
  const options: readonly Choice[] = [
    ...PRESETS,
    ...(question.time === "bounded" ? [] : [{ key: ALWAYS, name: "Any time" }]),
    { key: RANGE, name: "Between …" },
    ...(question.time === "periods" ? [{ key: MOMENT, name: "At a moment …" }] : []),
  ];
  return html`<label class="field">
      <span>Time</span>
      <select name="time" .value=${live(current)} @change=${choose}>
        ${options.map(({ key, name }) => html`<option value=${key} ?selected=${key === current}>${name}</option>`)}
      </select>
    </label>
    ${time.kind === "moment" ? timeInput("Moment", time.at, (at) => set({ kind: "moment", at })) : nothing}
    ${
      time.kind === "range"
        ? [
            timeInput("From", time.from, (from) => set({ ...time, from, to: Math.max(from, time.to) })),
            timeInput("To", time.to, (to) => set({ ...time, to, from: Math.min(time.from, to) })),
          ]
        : nothing
    }
    ${relationField(question, asked, onChange)}`;
}

function relationField(question: Question, asked: Asked, onChange: AskedFormParts["onChange"]) {
  const relations = question.relations(asked.time);
  if (relations.length < 2) return nothing;
  const choose = ({ target }: Event) => onChange({ ...asked, relation: (target as HTMLSelectElement).value });
  return html`<label class="field">
    <span>Which ones</span>
    <select name="relation" .value=${live(asked.relation)} @change=${choose}>
      ${relations.map(({ key, name }) => html`<option value=${key} ?selected=${key === asked.relation}>${name}</option>`)}
    </select>
  </label>`;
}

/** Conditions that few questions need are folded away while none of them has a value. */
function filterFields({ asked, chooser, onChange }: AskedFormParts, question: Question) {
  const { filters } = question;
  const valuesOf = ({ key }: Filter) => asked.values.get(key) ?? [];
  const field = (filter: Filter) => {
    const values = valuesOf(filter);
    const change = (next: readonly string[]) => {
      const others = [...asked.values].filter(([key]) => key !== filter.key);
      onChange({ ...asked, values: new Map(next.length === 0 ? others : [...others, [filter.key, next]]) });
    };
    const canExclude = values.length > 0 && isExcludable(question, filter.key);
    return html`<div class="condition">
      ${filterField(filter, values, chooser, change)} ${canExclude ? exclusion(filter, asked, onChange) : nothing}
    </div>`;
  };
  const [often = [], rare = []] = [false, true].map((isRare) =>
    filters.filter((filter) => (filter.isRare ?? false) === isRare),
  );
  const isUsed = rare.some((filter) => valuesOf(filter).length > 0);
  // The last condition may be taken out with the focus on it: what is open stays open.
  return html`${repeat(often, ({ key }) => key, field)}
  ${
    rare.length === 0
      ? nothing
      : html`<details ?open=${isUsed ? true : noChange}>
          <summary>More conditions</summary>
          <div class="rare">${repeat(rare, ({ key }) => key, field)}</div>
        </details>`
  }`;
}

function exclusion({ key, label }: Filter, asked: Asked, onChange: AskedFormParts["onChange"]) {
  const tick = ({ target }: Event) => {
    const others = [...asked.without].filter((each) => each !== key);
    onChange({ ...asked, without: new Set((target as HTMLInputElement).checked ? [...others, key] : others) });
  };
  return html`<label class="exclusion">
    <input
      type="checkbox"
      name="not-${key}"
      aria-label="Without these: ${label}"
      .checked=${live(asked.without.has(key))}
      @change=${tick}
    />
    without these
  </label>`;
}

function filterField(
  filter: Filter,
  values: readonly string[],
  chooser: ChoiceFields,
  onValues: (values: readonly string[]) => void,
): TemplateResult {
  const { key: name, label, from } = filter;
  if (from === "text") return textField(filter, values, onValues);
  if (typeof from === "string") return chooser.view({ kind: from, name, label, values, onValues });
  const tick = ({ target }: Event) => {
    const { value, checked } = target as HTMLInputElement;
    onValues(checked ? [...values, value] : values.filter((each) => each !== value));
  };
  return html`<fieldset class="field">
    <legend>${label}</legend>
    <div class="row">
      ${from.map(
        ({ key, name: text }) =>
          html`<label>
            <input type="checkbox" name=${name} value=${key} .checked=${live(values.includes(key))} @change=${tick} />
            ${text}
          </label>`,
      )}
    </div>
  </fieldset>`;
}

function textField(filter: Filter, values: readonly string[], onValues: (values: readonly string[]) => void) {
  const { key, label, hint, fault } = filter;
  const [first = "", ...others] = values;
  const changed = ({ target }: Event) => {
    const input = target as HTMLInputElement;
    const text = input.value.trim();
    const wrong = text === "" ? undefined : fault?.(text);
    input.setCustomValidity(wrong ?? "");
    // A text with a fault stays in the field, and is not asked.
    if (wrong === undefined) onValues(text === "" ? others : [text, ...others.filter((other) => other !== text)]);
    else input.reportValidity();
  };
  const onOthers = (left: readonly string[]) => onValues(first === "" ? left : [first, ...left]);
  return html`<div class="field">
    <label>
      <span>${label}</span>
      <input
        name=${key}
        type="search"
        autocomplete="off"
        aria-describedby=${hint === undefined ? nothing : `hint-${key}`}
        .value=${first}
        @change=${changed}
      />
    </label>
    ${hint === undefined ? nothing : html`<span class="hint" id="hint-${key}">${hint}</span>`}
    ${chips({ label, values: others, nameOf: (value) => value, onValues: onOthers })}
  </div>`;
}
