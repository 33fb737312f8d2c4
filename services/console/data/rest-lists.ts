// Answers of the REST interface about subscriptions, their deliveries, and replays.
import { LARGEST_PAGE } from "./all-nodes.ts";
import { ApiError, shownError } from "./errors.ts";
import type { Requests } from "./requests.ts";
import type { SignalType } from "./signal-body.ts";

type Rest = Requests["rest"];

export interface WebhookSubscription {
  readonly id: string;
  readonly webhook_url: string;
  readonly workflow_name: string;
  readonly workflow_id: string | null;
  readonly mode: "streaming" | "batch";
  readonly signal_type: SignalType;
  readonly filters: Readonly<Record<string, readonly string[] | string | null>>;
  readonly trigger_on: readonly string[];
  readonly credentials: { readonly x_token_id: string };
  readonly status: "active" | "stopped";
  readonly stopped_reason: string | null;
  readonly stopped_detail: string | null;
  readonly stopped_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface WebhookDelivery {
  readonly id: string;
  readonly signal: string;
  readonly status: "pending" | "delivered" | "failed" | "merged";
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly attempts: readonly DeliveryAttempt[];
}

export interface DeliveryAttempt {
  readonly at: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly ms: number;
}

export interface ReplaySession {
  readonly id: string;
  readonly state: "running" | "paused" | "finished" | "failed";
  readonly reason: string | null;
  readonly track_ids: readonly string[];
  readonly range: {
    readonly data_source_ids: readonly string[] | null;
    readonly from: string;
    readonly to: string;
  } | null;
  readonly offsets: readonly { readonly partition: number; readonly from: number; readonly to: number }[] | null;
  readonly mode: "auto" | "manual";
  readonly speed: number | "max";
  readonly signal_type: string;
  /** Empty without a receiver. */
  readonly webhook_url: string;
  readonly log: "topic" | "history" | null;
  readonly progress: number;
  readonly position: { readonly partition: number; readonly offset: number; readonly timestamp: string | null } | null;
  readonly steps: number;
  readonly steps_asked: number | null;
  readonly signals: number;
  readonly signals_sent: number;
  readonly deliveries: number;
  readonly errors: number;
  readonly last_error: string | null;
  readonly created_at: string;
  readonly ended_at: string | null;
}

export interface SubscriptionsPage {
  /** In the order of their ids. */
  readonly subscriptions: readonly WebhookSubscription[];
  readonly hasMore: boolean;
}

/** Returns the first ones, page by page, until there are `most`, or none is left. */
export async function listSubscriptions(rest: Rest, most: number, signal: AbortSignal): Promise<SubscriptionsPage> {
  type Listed = { readonly subscriptions: readonly WebhookSubscription[]; readonly next_cursor: string | null };
  const subscriptions: WebhookSubscription[] = [];
  let cursor: string | null = null;
  do {
    const limit = String(Math.min(LARGEST_PAGE, most - subscriptions.length));
    const query = new URLSearchParams({ limit, ...(cursor === null ? {} : { cursor }) });
    const listed: Listed = await rest<Listed>("GET", `/api/subscriptions?${query}`, undefined, signal);
    subscriptions.push(...listed.subscriptions);
    cursor = listed.next_cursor;
  } while (cursor !== null && subscriptions.length < most);
  return { subscriptions, hasMore: cursor !== null };
}

/** @param text each of its words must be in the id, the receiver or the workflow, in any case. */
export function foundSubscriptions(
  subscriptions: readonly WebhookSubscription[],
  text: string,
): readonly WebhookSubscription[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return subscriptions.filter(({ id, webhook_url, workflow_name, workflow_id }) => {
    const all = [id, webhook_url, workflow_name, workflow_id ?? ""].join("\n").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/**
 * Makes a subscription; one that exists stays as it is.
 * @returns its secret, which is shown this once.
 * @throws ApiError with a fault of the id when there is a subscription with it.
 */
export async function createSubscription(rest: Rest, id: string, body: object): Promise<string> {
  const onlyNew = { "if-none-match": "*" };
  try {
    return (await rest<{ secret: string }>("POST", subscriptionPath(id), body, undefined, onlyNew)).secret;
  } catch (error) {
    if (shownError(error).code !== "PRECONDITION_FAILED") throw error;
    const detail = "There is a webhook with this id.";
    throw new ApiError("CONFLICT", detail, { faults: [{ pointer: "#/path/id", detail }] });
  }
}

/** @returns undefined when there is none with this id. */
export async function findSubscription(
  rest: Rest,
  id: string,
  signal?: AbortSignal,
): Promise<WebhookSubscription | undefined> {
  try {
    return await rest<WebhookSubscription>("GET", subscriptionPath(id), undefined, signal);
  } catch (error) {
    if (shownError(error).code !== "NOT_FOUND") throw error;
    return undefined;
  }
}

export interface DeliveriesPage {
  readonly deliveries: readonly WebhookDelivery[];
  readonly next_cursor: string | null;
}

export const listDeliveries = (rest: Rest, id: string, limit: number, signal: AbortSignal): Promise<DeliveriesPage> =>
  rest("GET", `${subscriptionPath(id)}/deliveries?limit=${limit}`, undefined, signal);

export const subscriptionPath = (id: string): string => `/api/subscriptions/${encodeURIComponent(id)}`;

export const replayPath = (id: string): string => `/api/replay/${encodeURIComponent(id)}`;
