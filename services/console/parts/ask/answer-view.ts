// An answer below its question: what was found, in the form that the user chose.

import { html, nothing, type TemplateResult } from "lit-html";
import { LARGEST_PAGE } from "../../data/all-nodes.ts";
import type { Asking } from "../../data/answers.ts";
import { serverNow } from "../../data/clock.ts";
import { BUCKET_SIZES, bucketMs, bucketSize, NO_BUCKETS } from "../../questions/bucket-size.ts";
import { partText, timeOfPart } from "../../questions/drawn-part.ts";
import { laneColumns } from "../../questions/lanes.ts";
import type { AnswerPage, Asked, Choice, Period } from "../../questions/question.ts";
import { groupTotals, type Stacks, stacksOf } from "../../questions/stacks.ts";
import type { App } from "../app.ts";
import type { Loaded } from "../loaded.ts";
import { empty } from "../states.ts";
import type { Times } from "../times.ts";
import { answerTable } from "./answer-table.ts";
import type { CountPlot } from "./count-plot.ts";
import type { Download } from "./download.ts";
import { lanesView } from "./lanes-view.ts";
import { queryView } from "./query-view.ts";
import { totalsView } from "./totals-view.ts";

/** An answer with its question: the form may already say something else. */
export interface Answered {
  readonly asking: Asking;
  readonly page: AnswerPage;
}

export interface AnswerParts {
  readonly app: App;
  readonly answer: Loaded<Answered>;
  /** The question, perhaps without an answer yet. */
  readonly asking: Asking;
  readonly total: number | undefined;
  readonly plot: CountPlot;
  readonly download: Download;
  /** From 1. */
  readonly pageNumber: number;
  readonly pageRows: number;
  readonly lane: string;
  readonly onLane: (key: string) => void;
  readonly onChange: (asked: Asked) => void;
  readonly onPage: (step: 1 | -1, next: string | undefined) => void;
}

export const answerView = (parts: AnswerParts): TemplateResult => {
  const { answer, asking } = parts;
  const { asked, period, question } = asking;
  const isQuery = asked.view === "query";
  return html`<section class=${answer.isLoading ? "answer-part waits" : "answer-part"} aria-busy=${answer.isLoading}>
    ${toolbar(parts)}
    ${
      isQuery
        ? queryView(question.operation(asked, period, { first: parts.pageRows, after: undefined }), location.origin)
        : answer.show("the answer", (value) => found(value, parts))
    }
  </section>`;
};

function toolbar(parts: AnswerParts) {
  const { asking, answer, total, app, download, onChange } = parts;
  const { asked, question, period } = asking;
  const views: readonly Choice[] =
    question.form === "list"
      ? [
          { key: "", name: "Table" },
          { key: "time", name: "Time line" },
          { key: "query", name: "Query" },
        ]
      : [
          { key: "", name: "Plot" },
          { key: "query", name: "Query" },
        ];
  const shown = total ?? answer.value?.page.total;
  return html`<div class="row answer-bar">
    <div class="row" role="group" aria-label="Form of the answer">
      ${views.map(
        ({ key, name }) =>
          html`<button type="button" aria-pressed=${key === asked.view} @click=${() => onChange({ ...asked, view: key })}>
            ${name}
          </button>`,
      )}
    </div>
    ${question.form === "count" ? countFields(asking, onChange) : nothing}
    <span class="found" role="status">${shown === undefined ? nothing : html`<b>${shown.toLocaleString()}</b> found`}</span>
    <span class="quiet-text">${periodText(period, app.times)}</span>
    ${asked.time.kind === "last" ? fixButton(asking, onChange) : nothing}
    <span class="grow"></span>
    ${download.view(asking, total)}
  </div>`;
}

/** A link to the last hour shows another hour tomorrow. */
const fixButton = ({ asked, period }: Asking, onChange: AnswerParts["onChange"]) =>
  period === undefined
    ? nothing
    : html`<button
        type="button"
        class="quiet"
        title="The address then names these times, so that a link to it shows the same"
        @click=${() => onChange({ ...asked, time: { kind: "range", from: period.from, to: period.to } })}
      >
        Fix these times
      </button>`;

const periodText = (period: Period, times: Times): string => {
  if (period === undefined) return "at any time";
  const { from, to, isMoment } = period;
  return isMoment ? `at ${times.full(from)}` : `${times.full(from)} – ${times.full(to)}`;
};

function countFields({ asked, question, period }: Asking, onChange: AnswerParts["onChange"]) {
  const chosen = ({ target }: Event) => (target as HTMLSelectElement).value;
  const fitting = BUCKET_SIZES.find(({ key }) => key === bucketSize("", period))?.name ?? "";
  const sizes: readonly Choice[] = [
    { key: "", name: `Fitting: ${fitting.toLowerCase()}` },
    ...BUCKET_SIZES,
    { key: NO_BUCKETS, name: "Whole time" },
  ];
  return html`<label>
      By
      <select name="by" @change=${(event: Event) => onChange({ ...asked, by: chosen(event) })}>
        ${question.groups.map(({ key, name }) => html`<option value=${key} ?selected=${key === asked.by}>${name}</option>`)}
      </select>
    </label>
    <label>
      Each
      <select name="size" @change=${(event: Event) => onChange({ ...asked, size: chosen(event) })}>
        ${sizes.map(({ key, name }) => html`<option value=${key} ?selected=${key === asked.size}>${name}</option>`)}
      </select>
    </label>`;
}

function found({ asking, page }: Answered, parts: AnswerParts): TemplateResult {
  const { question, asked } = asking;
  if (page.rows.length === 0 || (question.form === "count" && page.total === 0)) return nothingFound(asking, parts);
  const table = answerTable({
    question,
    asked,
    rows: page.rows,
    times: parts.app.times,
    onSort: (sort) => parts.onChange({ ...parts.asking.asked, sort }),
  });
  if (question.form === "count") return html`${plotOf(asking, page, parts)} ${table}`;
  return html`${asked.view === "time" ? timeLine(asking, page, parts) : table} ${pager(page, parts)}`;
}

function plotOf({ asked, period }: Asking, page: AnswerPage, { plot }: AnswerParts) {
  const buckets = page.buckets ?? [];
  const size = bucketSize(asked.size, period);
  const stacks = size === "" ? undefined : stacksOnce(page, bucketMs(size) ?? 0);
  return stacks === undefined ? totalsView(groupTotals(buckets)) : plot.view(stacks, page.total ?? 0);
}

/** The plot is drawn anew when its stacks are others, so an answer is stacked once. */
function stacksOnce(page: AnswerPage, stepMs: number): Stacks | undefined {
  let known = stackedPages.get(page);
  if (known === undefined) {
    known = { stacks: stacksOf(page.buckets ?? [], stepMs) };
    stackedPages.set(page, known);
  }
  return known.stacks;
}
const stackedPages = new WeakMap<AnswerPage, { readonly stacks: Stacks | undefined }>();

function timeLine({ question, asked, period }: Asking, page: AnswerPage, parts: AnswerParts) {
  const { rows, next } = page;
  const columns = question.columns(asked);
  const places = laneColumns(columns);
  const chosen = places.find((place) => String(place) === parts.lane) ?? places[0] ?? 0;
  // A moment has no length: the stays around it do.
  const isPart = next !== undefined || parts.pageNumber > 1;
  const shown = timeOfPart({ rows, isPart, period: period?.isMoment ? undefined : period }, serverNow());
  if (shown === undefined) return nothing;
  return html`${isPart ? html`<p class="hint lanes-part" role="status">${partOf(asked, page, parts)}</p>` : nothing}
  ${lanesView({
    rows,
    shown,
    column: chosen,
    times: parts.app.times,
    onColumn: parts.onLane,
    columns: places.map((place) => ({ key: String(place), name: columns[place]?.name ?? "" })),
    onOpen: (path) => parts.app.go(path),
  })}`;
}

function partOf({ sort }: Asked, { rows, next, total }: AnswerPage, parts: AnswerParts): string {
  return partText({
    before: (parts.pageNumber - 1) * LARGEST_PAGE,
    count: rows.length,
    total: parts.total ?? total,
    order: TIME_ORDERS[sort],
    hasNext: next !== undefined,
  });
}

/** Sorts by the time at which rows began. */
const TIME_ORDERS: Readonly<Record<string, "newest" | "oldest">> = {
  "-start": "newest",
  start: "oldest",
  "-time": "newest",
  time: "oldest",
};

function pager({ rows, next }: AnswerPage, { pageNumber, pageRows, onPage, asking, answer }: AnswerParts) {
  const size = asking.asked.view === "time" ? LARGEST_PAGE : pageRows;
  const from = (pageNumber - 1) * size;
  if (pageNumber === 1 && next === undefined) return nothing;
  return html`<nav class="row" aria-label="Pages of the answer">
    <button type="button" ?disabled=${pageNumber === 1 || answer.isLoading} @click=${() => onPage(-1, undefined)}>
      Previous
    </button>
    <span>${(from + 1).toLocaleString()} – ${(from + rows.length).toLocaleString()}</span>
    <button type="button" ?disabled=${next === undefined || answer.isLoading} @click=${() => onPage(1, next)}>Next</button>
  </nav>`;
}

/** Most often the time is too short, or a filter too narrow: both are one click away. */
function nothingFound({ asked, question }: Asking, { onChange }: AnswerParts): TemplateResult {
  const { time, values } = asked;
  const wider: Asked["time"] = question.time === "bounded" ? { kind: "last", last: "30d" } : { kind: "always" };
  const isWidest = time.kind === "always" || (time.kind === "last" && time.last === "30d");
  return empty(
    "Nothing matches.",
    html`<div class="row">
      ${
        isWidest
          ? nothing
          : html`<button type="button" @click=${() => onChange({ ...asked, time: wider })}>
              ${wider.kind === "always" ? "At any time" : "In the last 30 days"}
            </button>`
      }
      ${
        values.size === 0
          ? nothing
          : html`<button type="button" @click=${() => onChange({ ...asked, values: new Map() })}>Without filters</button>`
      }
    </div>`,
  );
}
