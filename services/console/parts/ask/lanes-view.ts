// Rows of an answer as bars over time.

import { html, nothing, svg, type TemplateResult } from "lit-html";
import { DAY_MS, MINUTE_MS } from "../../../../schemas/units.ts";
import { isolated } from "../../picture/isolated.ts";
import { tagColour } from "../../picture/tag-colour.ts";
import { type AnswerLane, answerLanes, type LaneBar, roundTimes, type ShownTime } from "../../questions/lanes.ts";
import type { AnswerRow, Choice } from "../../questions/question.ts";
import { CONSOLE } from "../frame.ts";
import { tagMark } from "../tag-mark.ts";
import type { Times } from "../times.ts";

export interface LanesParts {
  readonly rows: readonly AnswerRow[];
  readonly shown: ShownTime;
  /** Columns that may be lanes, by their places; `column` is the chosen one. */
  readonly columns: readonly Choice[];
  readonly column: number;
  readonly times: Times;
  readonly onColumn: (key: string) => void;
  readonly onOpen: (path: string) => void;
}

const WIDTH = 1_000;
const LINE = 14;
const BAR = 11;
/** A shorter bar could not be seen. */
const SHORTEST = 3;

export const lanesView = (parts: LanesParts): TemplateResult => {
  const { rows, shown, columns, column, onColumn } = parts;
  const lanes = answerLanes(rows, column, shown);
  const choose = ({ target }: Event) => onColumn((target as HTMLSelectElement).value);
  return html`<div class="row">
      <label>
        Rows by
        <select @change=${choose}>
          ${columns.map(({ key, name }) => html`<option value=${key} ?selected=${key === String(column)}>${name}</option>`)}
        </select>
      </label>
      ${legend(rows)}
    </div>
    <div class="lanes" role="list" aria-label="Time line">
      ${lanes.map((lane) => laneView(lane, parts))}
      <div class="lane axis" aria-hidden="true">
        <span></span>
        <div class="marks">${axis(shown, parts.times)}</div>
      </div>
    </div>`;
};

const laneView = ({ name, bars, levels }: AnswerLane, { shown, times, onOpen }: LanesParts) =>
  html`<div class="lane" role="listitem">
    <span class="lane-name" title=${name}><bdi>${name}</bdi> <span class="quiet-text">${bars.length}</span></span>
    <svg
      viewBox="0 0 ${WIDTH} ${levels * LINE}"
      height=${levels * LINE}
      preserveAspectRatio="none"
      role="group"
      aria-label=${name}
    >
      ${roundTimes(shown, MOST_MARKS, offsetOf(shown)).map((ms) => {
        const x = ((ms - shown.from) / (shown.to - shown.from)) * WIDTH;
        return svg`<line class="grid" x1=${x} x2=${x} y1="0" y2=${levels * LINE} />`;
      })}
      ${bars.map((bar) => barView(bar, times, onOpen))}
    </svg>
  </div>`;

function barView({ row, left, right, level, isOpen }: LaneBar, times: Times, onOpen: (path: string) => void) {
  const { span, links } = row;
  if (span === undefined) return nothing;
  const end = span.to === null ? "not ended" : `to ${times.full(span.to)} (${times.length(span.to - span.from)})`;
  const text = `${isolated(span.tag)}, from ${times.full(span.from)} ${end}`;
  const width = Math.max(SHORTEST, (right - left) * WIDTH);
  const rect = svg`<rect class=${isOpen ? "bar open" : "bar"} x=${left * WIDTH} y=${level * LINE + 1} width=${width}
    height=${BAR} fill=${tagColour(span.tag)}><title>${text}</title></rect>`;
  const [link] = links;
  if (link === undefined) return rect;
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onOpen(link.path);
  };
  // There may be a thousand bars, so the keyboard reaches the same links in the table.
  return svg`<a href=${CONSOLE + link.path} tabindex="-1" aria-label=${text} @click=${open}>${rect}</a>`;
}

const MOST_MARKS = 8;

const axis = (shown: ShownTime, times: Times) =>
  axisTexts(
    roundTimes(shown, MOST_MARKS, offsetOf(shown)).map((ms) => ({
      share: (ms - shown.from) / (shown.to - shown.from),
      text: shown.to - shown.from > DAY_MS ? times.full(ms).slice(5, 16) : times.clock(ms),
    })),
  );

/** An SVG that is stretched stretches its texts as well, so the axis has one of its own. */
const axisTexts = (marks: readonly { readonly share: number; readonly text: string }[]) =>
  html`<svg height="18" width="100%">
    ${marks.map(({ share, text }) => {
      const anchor = share < 0.04 ? "start" : share > 0.96 ? "end" : "middle";
      return svg`<text x="${share * 100}%" y="13" text-anchor=${anchor}>${text}</text>`;
    })}
  </svg>`;

/** East of UTC, in milliseconds. */
const offsetOf = ({ from }: ShownTime): number => -new Date(from).getTimezoneOffset() * MINUTE_MS;

const MOST_TAGS = 7;

function legend(rows: readonly AnswerRow[]) {
  const tags = [...new Set(rows.flatMap(({ span }) => (span === undefined ? [] : [span.tag])))];
  if (tags.length > MOST_TAGS) return nothing;
  return tags.map((tag) => html`<span class="legend">${tagMark(tagColour(tag))} <bdi>${tag}</bdi></span>`);
}
