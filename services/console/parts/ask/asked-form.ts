// The form of a question: its kind, its time, and its filters.
import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import type { Choices, ObjectChoice } from "../../data/choices.ts";
import { addressOf, timeFor } from "../../questions/address.ts";
import { questionOf, questions } from "../../questions/kinds.ts";
import type { Asked, AskedTime, Choice, Filter, Period, Question } from "../../questions/question.ts";
import { PRESETS } from "../../questions/times-of.ts";
import { CONSOLE } from "../frame.ts";
import { timeInput } from "../time-input.ts";

export interface AskedFormParts {
  readonly asked: Asked;
  readonly period: Period;
  readonly choices: Choices;
  readonly onChange: (asked: Asked) => void;
}

export const askedForm = ({ asked, period, choices, onChange }: AskedFormParts): TemplateResult => {
  const question = questionOf(asked.of);
  const setValues = (key: string, values: readonly string[]) => {
    const { [key]: _, ...others } = Object.fromEntries(asked.values);
    onChange({
      ...asked,
      values: new Map(Object.entries(values.length === 0 ? others : { ...others, [key]: values })),
    });
  };
  return html`<nav class="kinds" aria-label="Kinds of questions">
      ${kindLinks("List", "list", asked)} ${kindLinks("Count", "count", asked)}
    </nav>
    <p class="about">${question.about}</p>
    <form class="asked" @submit=${(event: Event) => event.preventDefault()}>
      ${timeFields(question, asked, period, onChange)}
      ${question.filters.map((filter) =>
        filterField(filter, asked.values.get(filter.key) ?? [], choices, (values) => setValues(filter.key, values)),
      )}
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

const RANGE = "range";
const MOMENT = "moment";
const ALWAYS = "always";

function timeFields(question: Question, asked: Asked, period: Period, onChange: AskedFormParts["onChange"]) {
  const { time } = asked;
  const set = (next: AskedTime) => onChange({ ...asked, time: next });
  const choose = ({ target }: Event) => {
    const chosen = (target as HTMLSelectElement).value;
    const now = Math.floor(Date.now() / 1_000) * 1_000;
    const known = period ?? { from: now - 3_600_000, to: now, isMoment: false };
    const { from, to, isMoment } = known;
    if (chosen === ALWAYS) set({ kind: "always" });
    else if (chosen === MOMENT) set({ kind: "moment", at: Math.floor(to / 1_000) * 1_000 });
    else if (chosen !== RANGE) set({ kind: "last", last: chosen });
    else set({ kind: "range", from: isMoment ? from - 300_000 : from, to: isMoment ? to + 300_000 : to });
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
    }`;
}

function filterField(
  filter: Filter,
  values: readonly string[],
  choices: Choices,
  onValues: (values: readonly string[]) => void,
): TemplateResult {
  if (filter.from === "text") return textField(filter, values, onValues);
  const known: readonly ObjectChoice[] =
    typeof filter.from === "string" ? choices[filter.from] : filter.from.map(({ key, name }) => ({ value: key, name }));
  const nameOf = (value: string) => known.find((choice) => choice.value === value)?.name ?? value;
  const add = ({ target }: Event) => {
    const select = target as HTMLSelectElement;
    if (select.value !== "") onValues([...values, select.value]);
    select.value = "";
  };
  return html`<div class="field">
    <label>
      <span>${filter.label}</span>
      <select name=${filter.key} @change=${add}>
        <option value="">${values.length === 0 ? "Any" : "One more …"}</option>
        ${groupsOf(known.filter(({ value }) => !values.includes(value)))}
      </select>
    </label>
    ${chips(filter.label, values, nameOf, onValues)}
  </div>`;
}

function textField(filter: Filter, values: readonly string[], onValues: (values: readonly string[]) => void) {
  const [first = "", ...others] = values;
  const changed = ({ target }: Event) => {
    const text = (target as HTMLInputElement).value.trim();
    onValues(text === "" ? others : [text, ...others]);
  };
  return html`<div class="field">
    <label>
      <span>${filter.label}</span>
      <input name=${filter.key} type="search" autocomplete="off" .value=${live(first)} @change=${changed} />
    </label>
    ${chips(
      filter.label,
      others,
      (value) => value,
      (left) => onValues(first === "" ? left : [first, ...left]),
    )}
  </div>`;
}

const chips = (
  label: string,
  values: readonly string[],
  nameOf: (value: string) => string,
  onValues: (values: readonly string[]) => void,
) =>
  values.map(
    (value) =>
      html`<button
        type="button"
        class="chip"
        aria-label="Remove ${label} ${nameOf(value)}"
        @click=${() => onValues(values.filter((each) => each !== value))}
      >
        ${nameOf(value)} <span aria-hidden="true">×</span>
      </button>`,
  );

function groupsOf(choices: readonly ObjectChoice[]) {
  return [...Map.groupBy(choices, ({ group = "" }) => group)].map(([group, ofGroup]) => {
    const options = ofGroup.map(({ value, name }) => html`<option value=${value}>${name}</option>`);
    return group === "" ? options : html`<optgroup label=${group}>${options}</optgroup>`;
  });
}
