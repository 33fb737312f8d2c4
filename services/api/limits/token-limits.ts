// The limits of each token at this instance.
import { type Callers, type CallersOptions, createCallers } from "../../common/fairness/callers.ts";
import { createSlots, type Slots } from "../../common/fairness/slots.ts";
import type { Log } from "../../common/log.ts";
import type { TokenLimitsConfig } from "./config.ts";
import { historyQueries } from "./metrics.ts";

export type TokenLimits = Callers<"requests" | "bytes" | "detections", "queries" | "mutations" | "subscriptions">;

/** The queries to ClickHouse that run or wait. */
export type HistorySlots = Slots;

/** The caller of all queries for subscribers. No token has this id: the ids of tokens are UUIDs. */
export const SUBSCRIPTIONS_CALLER = "subscriptions";

const SETTINGS: Readonly<Record<string, string>> = {
  requests: "API_TOKEN_REQUESTS_PER_S",
  bytes: "API_TOKEN_BYTES_PER_S",
  detections: "API_TOKEN_DETECTIONS_PER_S",
  queries: "API_TOKEN_QUERIES",
  mutations: "API_TOKEN_MUTATIONS",
  subscriptions: "API_TOKEN_SUBSCRIPTIONS",
  history: "API_TOKEN_HISTORY_QUERIES_WAITING",
};

const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Without authentication all callers are one, which has no limits of its own. */
export function createTokenLimits(config: TokenLimitsConfig & { readonly API_AUTH: boolean }, log: Log): TokenLimits {
  const limit = (limit: number): number => (config.API_AUTH ? limit : UNLIMITED);
  const options: CallersOptions<"requests" | "bytes" | "detections", "queries" | "mutations" | "subscriptions"> = {
    limits: {
      perS: {
        requests: limit(config.API_TOKEN_REQUESTS_PER_S),
        bytes: limit(config.API_TOKEN_BYTES_PER_S),
        detections: limit(config.API_TOKEN_DETECTIONS_PER_S),
      },
      inProgress: {
        queries: limit(config.API_TOKEN_QUERIES),
        mutations: limit(config.API_TOKEN_MUTATIONS),
        subscriptions: limit(config.API_TOKEN_SUBSCRIPTIONS),
      },
    },
    settingOf: (name) => `${SETTINGS[name]}`,
    log,
    now: () => performance.now(),
  };
  return createCallers(options);
}

const isShared = (tokenId: string): boolean => tokenId === SUBSCRIPTIONS_CALLER || tokenId === "";

export function createHistorySlots(config: TokenLimitsConfig, limits: Pick<TokenLimits, "refuse">): HistorySlots {
  const slots = createSlots({
    max: config.API_HISTORY_QUERIES,
    // Subscribers share their queries, and without authentication all callers are one.
    maxWaiting: (tokenId) => (isShared(tokenId) ? UNLIMITED : config.API_TOKEN_HISTORY_QUERIES_WAITING),
    refusal: (tokenId) => limits.refuse(tokenId, "history"),
  });
  historyQueries.observe(() => [
    [{ state: "running" }, slots.running()],
    [{ state: "waiting" }, slots.waiting()],
  ]);
  return slots;
}
