// All subscriptions, each with its state and what it did last.
import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { WebhookDelivery, WebhookSubscription } from "../../data/rest-lists.ts";
import { CONSOLE } from "../frame.ts";
import { empty } from "../states.ts";
import type { Times } from "../times.ts";

export interface ListedSubscription {
  readonly subscription: WebhookSubscription;
  /** The newest deliveries; undefined when they were not asked for. */
  readonly newest: readonly WebhookDelivery[] | undefined;
}

export const SIGNAL_NAMES = {
  track_state: "Tracks",
  zone_state: "Zones",
  activity_chronicle: "Activities",
} as const;

export const subscriptionList = (
  listed: readonly ListedSubscription[],
  times: Times,
  mayWrite: boolean,
): TemplateResult => {
  if (listed.length === 0) {
    const text =
      "There is no webhook yet. A webhook sends signals of tracks, zones or activities to a server of yours.";
    return empty(text, mayWrite ? html`<a href="${CONSOLE}/webhooks?new">Create one</a>` : nothing);
  }
  const hasDeliveries = listed.some(({ newest }) => newest !== undefined);
  const names = ["Id", "State", "Signals", "Receiver", "Workflow"];
  return html`<div class="wide" tabindex="0" role="region" aria-label="Webhooks">
    <table class="answer">
      <thead>
        <tr>
          ${[...names, ...(hasDeliveries ? ["Waiting", "Last delivery"] : [])].map(
            (name) => html`<th scope="col">${name}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${repeat(
          listed,
          ({ subscription: { id } }) => id,
          (each) => listedRow(each, times, hasDeliveries),
        )}
      </tbody>
    </table>
  </div>`;
};

function listedRow({ subscription, newest }: ListedSubscription, times: Times, hasDeliveries: boolean): TemplateResult {
  const { id, signal_type, mode, webhook_url, workflow_name } = subscription;
  return html`<tr>
    <td><a href="${CONSOLE}/webhooks?id=${encodeURIComponent(id)}">${id}</a></td>
    <td>${subscriptionState(subscription)}</td>
    <td>${SIGNAL_NAMES[signal_type]}${mode === "batch" ? ", in batches" : ""}</td>
    <td class="text">${webhook_url}</td>
    <td>${workflow_name}</td>
    ${hasDeliveries ? deliveryCells(newest, times) : nothing}
  </tr>`;
}

function deliveryCells(newest: readonly WebhookDelivery[] | undefined, times: Times): TemplateResult {
  if (newest === undefined) return html`<td colspan="2"><span class="quiet-text">not known</span></td>`;
  const last = newest.find(({ status }) => status === "delivered" || status === "failed");
  return html`<td>${waitingText(newest)}</td>
    <td>${lastView(last, times)}</td>`;
}

const REASONS: Readonly<Record<string, string>> = {
  gone: "the receiver answered 410",
  failing: "too many attempts failed",
  token_revoked: "its token was revoked",
};

export const subscriptionState = ({ status, stopped_reason }: WebhookSubscription): TemplateResult =>
  status === "active"
    ? html`<span class="state-mark good">active</span>`
    : html`<span class="state-mark bad">stopped</span> ${REASONS[stopped_reason ?? ""] ?? nothing}`;

/** Only the newest deliveries were asked for, so there may be more. */
export const NEWEST = 20;

function waitingText(newest: readonly WebhookDelivery[]): string {
  const waiting = newest.filter(({ status }) => status === "pending").length;
  return waiting === NEWEST ? `${NEWEST} or more` : String(waiting);
}

const lastView = (delivery: WebhookDelivery | undefined, times: Times) =>
  delivery === undefined
    ? html`<span class="quiet-text">–</span>`
    : html`${deliveryState(delivery)} ${times.full(Date.parse(delivery.ended_at ?? delivery.created_at))}`;

const STATES = {
  pending: ["waiting", "busy"],
  delivered: ["delivered", "good"],
  failed: ["failed", "bad"],
  merged: ["replaced by a newer one", "quiet"],
} as const;

export const deliveryState = ({ status }: Pick<WebhookDelivery, "status">): TemplateResult => {
  const [text, kind] = STATES[status];
  return html`<span class="state-mark ${kind}">${text}</span>`;
};
