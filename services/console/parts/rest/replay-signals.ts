// The newest signals of a replay as a table. A row shows its whole signal on demand.
import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { type FollowedSignals, type ReplaySignal, subjectsOf } from "../../data/replay-signals.ts";
import { rawJson } from "../raw-json.ts";
import type { Times } from "../times.ts";

export interface ReplaySignalsParts {
  readonly times: Times;
  /** Number of the signal that is shown whole. */
  readonly whole: number | undefined;
  readonly onWhole: (number: number | undefined) => void;
}

const COLUMNS = ["Number", "Time", "Signal", "Track", "Zone", "Result", ""];

export function replaySignals({ signals, passedOver }: FollowedSignals, parts: ReplaySignalsParts): TemplateResult {
  if (signals.length === 0) return html`<p class="hint">There is no signal yet.</p>`;
  return html`${passedOver === 0 ? nothing : html`<p class="hint">${passedText(passedOver)}</p>`}
    <div class="wide signals" tabindex="0" role="region" aria-label="Signals">
      <table class="answer">
        <thead>
          <tr>${COLUMNS.map((name) => html`<th scope="col" class=${name === "Number" ? "number" : ""}>${name}</th>`)}</tr>
        </thead>
        <tbody>
          ${repeat(
            signals,
            ({ number }) => number,
            (each) => signalRow(each, parts),
          )}
        </tbody>
      </table>
    </div>`;
}

const passedText = (count: number): string =>
  `${count.toLocaleString()} ${count === 1 ? "signal was" : "signals were"} passed over: only the newest ones are kept.`;

function signalRow(each: ReplaySignal, { times, whole, onWhole }: ReplaySignalsParts) {
  const { number, kind, timestamp, result, error } = each;
  const { track, zone } = subjectsOf(each);
  const isWhole = whole === number;
  return html`<tr>
      <td class="number">${number}</td>
      <td>${times.full(Date.parse(timestamp))}</td>
      <td>${kind}</td>
      <td>${wordsView(track)}</td>
      <td>${wordsView(zone)}</td>
      <td>
        ${result === null ? "–" : html`<span class="state-mark ${result === "failed" ? "bad" : "good"}">${result}</span>`}
        ${error === null ? nothing : html`<span class="fault">${error}</span>`}
      </td>
      <td>
        <button
          type="button"
          class="quiet"
          aria-expanded=${isWhole}
          aria-label="JSON of signal ${number}"
          @click=${() => onWhole(isWhole ? undefined : number)}
        >
          JSON
        </button>
      </td>
    </tr>
    ${isWhole ? html`<tr><td class="whole" colspan=${COLUMNS.length}>${wholeView(each)}</td></tr>` : nothing}`;
}

const wordsView = (words: readonly string[]) => words.map((word, i) => html`${i === 0 ? "" : " "}<bdi>${word}</bdi>`);

const wholeView = ({ signal }: ReplaySignal) =>
  signal === null ? html`<p class="hint">It is larger than 64 KiB, and was not kept.</p>` : rawJson(signal);
