// One subscription: its settings, what can be done with it, and its deliveries.
import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { ApiError } from "../../data/errors.ts";
import type { DeliveriesPage, DeliveryAttempt, WebhookDelivery, WebhookSubscription } from "../../data/rest-lists.ts";
import { SIGNAL_FILTERS } from "../../data/signal-body.ts";
import { empty } from "../states.ts";
import type { Times } from "../times.ts";
import { steadyButton } from "./steady-button.ts";
import { deliveryState, SIGNAL_NAMES, subscriptionState } from "./subscription-list.ts";

export type SubscriptionAction = "test" | "rotate" | "delete";

export interface SubscriptionDetailParts {
  readonly times: Times;
  readonly mayWrite: boolean;
  /** The action that is on its way, or the id of a delivery that is sent again. */
  readonly busy: string | undefined;
  readonly error: ApiError | undefined;
  readonly nameOf: (filter: string, value: string) => string;
  readonly onAction: (action: SubscriptionAction) => void;
  readonly onRedeliver: (deliveryId: string) => void;
  /** Whether no older ones can be shown. */
  readonly isWhole: boolean;
  readonly onMore: () => void;
}

export const subscriptionDetail = (
  subscription: WebhookSubscription,
  deliveries: TemplateResult | typeof nothing,
  parts: SubscriptionDetailParts,
): TemplateResult => {
  const { times, mayWrite, busy, error, onAction } = parts;
  const button = (action: SubscriptionAction, text: string) =>
    steadyButton({ text, act: () => onAction(action), isBusy: busy !== undefined });
  return html`<section class="card">
      <div class="row">
        ${subscriptionState(subscription)}
        ${subscription.stopped_detail === null ? nothing : html`<span>${subscription.stopped_detail}</span>`}
        <span class="grow"></span>
        ${
          mayWrite
            ? [button("test", "Send a test"), button("rotate", "New secret"), button("delete", "Delete …")]
            : nothing
        }
      </div>
      ${error === undefined ? nothing : html`<p class="fault" role="alert">${error.message}</p>`}
      <dl class="facts">${factsOf(subscription, parts, times)}</dl>
    </section>
    <h2>Deliveries</h2>
    ${deliveries}`;
};

function factsOf(subscription: WebhookSubscription, { nameOf }: SubscriptionDetailParts, times: Times) {
  const { webhook_url, workflow_name, workflow_id, mode, signal_type, filters, credentials } = subscription;
  const facts: readonly (readonly [string, string])[] = [
    ["Receiver", webhook_url],
    ["Workflow", workflow_id === null ? workflow_name : `${workflow_name} (${workflow_id})`],
    ["Signals", `${SIGNAL_NAMES[signal_type]}, ${mode === "batch" ? "in batches" : "each at once"}`],
    ...(signal_type === "activity_chronicle" ? [["On", subscription.trigger_on.join(", ")] as const] : []),
    ...SIGNAL_FILTERS.flatMap(({ name, label }) => {
      const values = filters[name];
      if (!Array.isArray(values) || values.length === 0) return [];
      return [[label, values.map((value) => nameOf(name, value)).join(", ")] as const];
    }),
    ["On behalf of the token", credentials.x_token_id],
    ["Created", times.full(Date.parse(subscription.created_at))],
    ["Changed", times.full(Date.parse(subscription.updated_at))],
  ];
  return facts.map(
    ([name, value]) =>
      html`<dt>${name}</dt>
        <dd>${value}</dd>`,
  );
}

export const deliveriesView = (
  { deliveries, next_cursor }: DeliveriesPage,
  parts: SubscriptionDetailParts,
): TemplateResult => {
  if (deliveries.length === 0)
    return empty("Nothing was sent yet. A test shows whether the receiver accepts deliveries.");
  const waiting = deliveries.filter(({ status }) => status === "pending").length;
  return html`<p class="quiet-text">
      ${waitingSentence(waiting, next_cursor !== null)}
    </p>
    <div class="wide" tabindex="0" role="region" aria-label="Deliveries">
      <table class="answer deliveries">
        <thead>
          <tr>
            <th scope="col">Arrived</th>
            <th scope="col">Signal</th>
            <th scope="col">State</th>
            <th scope="col">Attempts</th>
            ${parts.mayWrite ? html`<th scope="col">Again</th>` : nothing}
          </tr>
        </thead>
        <tbody>
          ${repeat(
            deliveries,
            ({ id }) => id,
            (delivery) => deliveryRow(delivery, parts),
          )}
        </tbody>
      </table>
    </div>
    ${next_cursor === null ? nothing : olderView(parts)}`;
};

function waitingSentence(count: number, hasOlder: boolean): string {
  if (count === 0) return "None is waiting.";
  if (hasOlder) return `${count} or more are waiting.`;
  return count === 1 ? "1 is waiting." : `${count} are waiting.`;
}

const olderView = ({ isWhole, onMore }: SubscriptionDetailParts) =>
  isWhole
    ? html`<p class="quiet-text">Older deliveries are in the REST interface.</p>`
    : html`<button type="button" @click=${onMore}>Older ones</button>`;

const deliveryRow = (delivery: WebhookDelivery, { times, mayWrite, busy, onRedeliver }: SubscriptionDetailParts) =>
  html`<tr>
    <td class="time">${times.full(Date.parse(delivery.created_at))}</td>
    <td>${delivery.signal}</td>
    <td>${deliveryState(delivery)}</td>
    <td>${attemptsView(delivery.attempts, times)}</td>
    ${
      mayWrite
        ? html`<td>
            ${steadyButton({
              text: "Send again",
              label: `Send again: ${delivery.signal} of ${times.full(Date.parse(delivery.created_at))}`,
              kind: "quiet",
              isBusy: busy !== undefined,
              act: () => onRedeliver(delivery.id),
            })}
          </td>`
        : nothing
    }
  </tr>`;

function attemptsView(attempts: readonly DeliveryAttempt[], times: Times) {
  const last = attempts.at(-1);
  if (last === undefined) return html`<span class="quiet-text">–</span>`;
  if (attempts.length === 1) return attemptView(last, times);
  return html`<details>
    <summary>${attempts.length}, the last one: ${outcomeOf(last)}</summary>
    <ol>
      ${attempts.map((attempt) => html`<li>${attemptView(attempt, times)}</li>`)}
    </ol>
  </details>`;
}

const attemptView = (attempt: DeliveryAttempt, times: Times) =>
  html`${outcomeOf(attempt)}
    <span class="quiet-text">${times.short(Date.parse(attempt.at))}, ${attempt.ms.toLocaleString()} ms</span>`;

const outcomeOf = ({ status, error }: DeliveryAttempt): string =>
  [status === null ? "no answer" : `status ${status}`, error].filter((text) => text !== null).join(": ");
