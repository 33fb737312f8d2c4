// The rows of an answer as a table.
import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { tagColour } from "../../picture/tag-colour.ts";
import type { AnswerRow, Asked, CellValue, Column, Question } from "../../questions/question.ts";
import { CONSOLE } from "../frame.ts";
import { tagMark } from "../tag-mark.ts";
import type { Times } from "../times.ts";

export interface AnswerTableParts {
  readonly question: Question;
  readonly asked: Asked;
  readonly rows: readonly AnswerRow[];
  readonly times: Times;
  readonly onSort: (sort: string) => void;
}

export const answerTable = ({ question, asked, rows, times, onSort }: AnswerTableParts): TemplateResult => {
  const columns = question.columns(asked);
  const hasLinks = rows.some(({ links }) => links.length > 0);
  return html`<div class="wide" tabindex="0" role="region" aria-label="Answer">
    <table class="answer">
      <thead>
        <tr>
          ${columns.map((column) => (column.isForFiles ? nothing : head(column, question, asked, onSort)))}
          ${hasLinks ? html`<th scope="col">Show</th>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${repeat(
          rows,
          ({ id }) => id,
          ({ cells, links }) =>
            html`<tr>
              ${columns.map((column, i) => (column.isForFiles ? nothing : cell(column, cells[i] ?? null, times)))}
              ${hasLinks ? html`<td>${links.map(({ name, path }) => html`<a href=${CONSOLE + path}>${name}</a> `)}</td>` : nothing}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
};

function head({ name, kind }: Column, { sorts }: Question, asked: Asked, onSort: (sort: string) => void) {
  const numeric = kind === "number" || kind === "length" ? "number" : "";
  const sort = sorts.find((each) => each.name === name);
  if (sort === undefined) return html`<th scope="col" class=${numeric}>${name}</th>`;
  const isUp = asked.sort === sort.key;
  const isDown = asked.sort === `-${sort.key}`;
  return html`<th scope="col" class=${numeric} aria-sort=${isUp ? "ascending" : isDown ? "descending" : "none"}>
    <button type="button" class="sort" @click=${() => onSort(isDown ? sort.key : `-${sort.key}`)}>
      ${name} <span aria-hidden="true">${isUp ? "▲" : isDown ? "▼" : "↕"}</span>
    </button>
  </th>`;
}

function cell({ kind }: Column, value: CellValue, times: Times) {
  if (value === null)
    return html`<td class=${kind === "length" ? "number" : ""}><span class="quiet-text">–</span></td>`;
  switch (kind) {
    case "time":
      return html`<td class="time"><time datetime=${value}>${times.full(Date.parse(String(value)))}</time></td>`;
    case "length":
      return html`<td class="number">${times.length(Number(value))}</td>`;
    case "number":
      return html`<td class="number">${value.toLocaleString()}</td>`;
    case "tag":
      return html`<td>${tagMark(tagColour(String(value)))} ${value}</td>`;
    case "text":
      return html`<td class="text">${value}</td>`;
    default:
      return kind satisfies never;
  }
}
