// The metrics of attempts to deliver.
import { counter, durations } from "../../common/metrics/define.ts";

export const attempts = counter(
  "webhook_attempts_total",
  "Attempts to deliver. The outcome is delivered, failed or gone.",
  ["outcome"],
);

export const attemptSeconds = durations("webhook_attempt_seconds", "Time until a receiver answered an attempt.");

export const deliverySeconds = durations(
  "webhook_delivery_seconds",
  "Time from a signal to its delivery, with all failed attempts before.",
);
