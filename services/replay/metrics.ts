// The metrics of replay sessions.
import { counter, observedGauge } from "../common/metrics/define.ts";

export const runningSessions = observedGauge("replay_sessions", "Replay sessions that this process runs.");

export const replayAttempts = counter(
  "replay_attempts_total",
  "Attempts of replay sessions to deliver. The outcome is delivered, failed or gone.",
  ["outcome"],
);
