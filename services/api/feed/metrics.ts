// The metrics of subscriptions.
import { counter, observedGauge } from "../../common/metrics/define.ts";

export const subscribers = observedGauge("subscribers", "Open GraphQL subscriptions.");

export const mergedMessages = counter(
  "subscription_merged_total",
  "Waiting messages of subscriptions that were replaced by newer ones of the same object.",
);

export const endedSubscriptions = counter(
  "subscription_ends_total",
  "Subscriptions that the server ended. The reason is refused, slow or away.",
  ["reason"],
);
