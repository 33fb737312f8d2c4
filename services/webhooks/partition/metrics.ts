// The metrics of the partitions of signals.
import { observedGauge } from "../../common/metrics/define.ts";

export const lanes = observedGauge("webhook_lanes", "Subscriptions with deliveries that wait or are under way.");

export const waitingDeliveries = observedGauge<"subscription">(
  "webhook_waiting_deliveries",
  "Deliveries that wait or are under way, by the state of their subscriptions: active or stopped.",
  ["subscription"],
);

export const oldestDeliverySeconds = observedGauge<"subscription">(
  "webhook_oldest_delivery_seconds",
  "Age of the oldest signal that waits, by the state of its subscription; 0 when none waits.",
  ["subscription"],
);
