// A webhook subscription in batch mode whose filter is nearly as long as one may be. Its receiver gets the ended
// tracks of the twins.
import { setTimeout as delay } from "node:timers/promises";
import { type Receiver, startReceiver } from "../../support/clients/receivers.ts";
import type { System } from "../../support/running/launch-system.ts";
import type { ServiceProcess } from "../../support/running/processes.ts";
import { until } from "../../support/running/processes.ts";
import { settled } from "../../support/running/settled.ts";
import { startStateApi } from "../../support/running/state-api.ts";
import { subscriptionBody } from "../../support/scenes/subscription-body.ts";

export interface BatchReceiver {
  /** kill -9 of the service that delivers, and a new process in its place. */
  killWebhooks(): Promise<void>;
  /** Resolves with the tracks, as `data source/track`, that never came. */
  missing(tracks: readonly string[]): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * The number of further ids in the filter, each of 60 characters. With the twins they stay within the bound on all
 * texts of a subscription.
 */
const OTHER_IDS = 900;
const STARTED_WITHIN_MS = 180_000;
const POLL_MS = 500;

export async function startBatchReceiver(system: System, dataSourceIds: readonly string[]): Promise<BatchReceiver> {
  const receiver = await startReceiver();
  const url = await startStateApi(system);
  let webhooks = await start(system);
  const others = Array.from({ length: OTHER_IDS }, (_, i) => `data-source-that-never-sends-${i}`.padEnd(60, "-"));
  await subscribe(system, url, receiver, [...dataSourceIds, ...others]);

  return {
    async killWebhooks() {
      await webhooks.kill();
      webhooks = await start(system);
    },

    async missing(tracks) {
      const left = () => {
        const received = new Set(receiver.received.flatMap(({ text }) => tracksOf(text)));
        return tracks.filter((track) => !received.has(track));
      };
      await settled(() => left().length === 0);
      return left();
    },

    close: () => receiver.close(),
  };
}

/** Acts as a supervisor: starts a process again that ended because a store is away. */
async function start(system: System): Promise<ServiceProcess> {
  return until(() => system.start("webhooks"), { timeoutMs: STARTED_WITHIN_MS, pauseMs: POLL_MS });
}

async function subscribe(system: System, url: string, receiver: Receiver, datasource_ids: readonly string[]) {
  const token = { "x-token-id": system.token.id, "x-token-value": system.token.value };
  const body = subscriptionBody(token, {
    webhook_url: receiver.url,
    mode: "batch",
    batch_interval: 10,
    filters: { datasource_ids },
  });
  const headers = { "content-type": "application/json", ...token };
  const path = `${url}/api/subscriptions/twins`;
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`the subscription was answered with ${answer.status}: ${await answer.text()}`);
  // The state machine reads it a moment later; a track that ends before that would be missing.
  await delay(POLL_MS);
}

interface Item {
  readonly track_state: { readonly track_id: string; readonly datasource_id: string };
}

function tracksOf(text: string): string[] {
  const items: readonly Item[] = JSON.parse(text);
  return items.map(({ track_state }) => `${track_state.datasource_id}/${track_state.track_id}`);
}
