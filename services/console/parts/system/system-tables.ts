// The tables of the page of the system.
import { html, nothing, type TemplateResult } from "lit-html";
import {
  type Counted,
  lagOf,
  rateOf,
  type ShownDeadLetter,
  type SystemReaders,
  type SystemStore,
  type SystemTopic,
} from "../../data/system-state.ts";
import { empty } from "../states.ts";
import type { Times } from "../times.ts";

/** A lag above this is worth a look: at any rate it is some seconds of work. */
const LARGE_LAG = 10_000;

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

export const readersTable = (readers: readonly SystemReaders[]): TemplateResult =>
  html`<div class="wide" tabindex="0" role="region" aria-label="Readers"><table>
      <thead>
        <tr>
          <th scope="col">Kind</th>
          <th scope="col">State</th>
          <th scope="col" class="number">Processes</th>
          <th scope="col" class="number">Messages behind</th>
          <th scope="col">Where</th>
        </tr>
      </thead>
      <tbody>
        ${readers.map(
          (each) =>
            html`<tr>
              <th scope="row">${each.name}</th>
              <td>${readersState(each)}</td>
              <td class="number">${each.processes.length}</td>
              <td class="number" title=${lagText(each)}>${whole.format(lagOf(each))}</td>
              <td>${each.processes.map(({ host, partitions }) => `${host} (${partitions} partitions)`).join(", ")}</td>
            </tr>`,
        )}
      </tbody>
    </table></div>`;

function readersState(readers: SystemReaders): TemplateResult {
  if (readers.processes.length === 0) return html`<span class="is-bad">not running</span>`;
  if (lagOf(readers) > LARGE_LAG) return html`<span class="is-bad">behind</span>`;
  return html`<span class="is-good">up to date</span>`;
}

const lagText = ({ lags }: SystemReaders): string =>
  lags.map(({ topic, messages }) => `${topic}: ${whole.format(messages)}`).join("\n");

export const storesTable = (stores: readonly SystemStore[]): TemplateResult =>
  html`<div class="wide" tabindex="0" role="region" aria-label="Stores"><table>
      <thead>
        <tr>
          <th scope="col">Store</th>
          <th scope="col">State</th>
          <th scope="col" class="number">Answer</th>
          <th scope="col">Version</th>
        </tr>
      </thead>
      <tbody>
        ${stores.map(
          ({ name, version, answerMs }) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td>
                ${answerMs === null ? html`<span class="is-bad">no answer</span>` : html`<span class="is-good">answers</span>`}
              </td>
              <td class="number">${answerMs === null ? nothing : `${short.format(answerMs)} ms`}</td>
              <td>${version ?? nothing}</td>
            </tr>`,
        )}
      </tbody>
    </table></div>`;

export const topicsTable = (
  topics: readonly SystemTopic[],
  before: Counted | undefined,
  after: Counted,
): TemplateResult =>
  html`<div class="wide" tabindex="0" role="region" aria-label="Topics"><table>
      <thead>
        <tr>
          <th scope="col">Topic</th>
          <th scope="col" class="number">Messages/s</th>
          <th scope="col" class="number">Written</th>
          <th scope="col" class="number">Kept</th>
          <th scope="col" class="number">Partitions</th>
        </tr>
      </thead>
      <tbody>
        ${topics.map(({ name, partitions, written, kept }) => {
          const rate = rateOf(name, before, after);
          return html`<tr>
            <th scope="row">${name}</th>
            <td class="number">${rate === undefined ? "…" : short.format(rate)}</td>
            <td class="number">${whole.format(written)}</td>
            <td class="number">${whole.format(kept)}</td>
            <td class="number">${partitions}</td>
          </tr>`;
        })}
      </tbody>
    </table></div>`;

export function deadLettersTable(letters: readonly ShownDeadLetter[], times: Times): TemplateResult {
  if (letters.length === 0) return empty("No message was refused.");
  return html`<p class="hint">
      The newest ${letters.length}. <code>npm run dead-letters -- show ID</code> shows one, and
      <code>redrive ID</code> writes it again.
    </p>
    <div class="wide" tabindex="0" role="region" aria-label="Dead letters"><table>
      <thead>
        <tr>
          <th scope="col">Recorded</th>
          <th scope="col">Reason</th>
          <th scope="col">Message</th>
          <th scope="col" class="number">Bytes</th>
          <th scope="col">State</th>
          <th scope="col">ID</th>
        </tr>
      </thead>
      <tbody>
        ${letters.map(
          ({ id, topic, partition, offset, recordedAt, reason, bytes, redrivenAt }) =>
            html`<tr>
              <td>${times.full(Date.parse(recordedAt))}</td>
              <td>${reason}</td>
              <td>${topic}/${partition}/${offset}</td>
              <td class="number">${bytes === null ? nothing : whole.format(bytes)}</td>
              <td>${redrivenAt === null ? "open" : `written again ${times.full(Date.parse(redrivenAt))}`}</td>
              <td><code>${id}</code></td>
            </tr>`,
        )}
      </tbody>
    </table></div>`;
}
