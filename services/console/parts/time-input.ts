// A field for a date and a time, in the zone of the browser.

import { html, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import { MINUTE_MS } from "../../../schemas/units.ts";
import { isTime } from "../questions/times-of.ts";

export const timeInput = (label: string, ms: number, onChange: (ms: number) => void): TemplateResult => {
  const changed = ({ target }: Event) => {
    const given = Date.parse((target as HTMLInputElement).value);
    if (isTime(given)) onChange(given);
  };
  return html`<label class="field">
    <span>${label}</span>
    <input type="datetime-local" step="1" required .value=${live(localTime(ms))} @change=${changed} />
  </label>`;
};

/** For example 2026-11-24T14:03:07, without a zone, as the field has it. */
export function localTime(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * MINUTE_MS;
  return new Date(ms - offsetMs).toISOString().slice(0, 19);
}
