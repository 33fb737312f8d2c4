// The metric of requests for past moments.
import { durations } from "../common/metrics/define.ts";

const pastQuerySeconds = durations(
  "past_query_seconds",
  "Time until a request for a past moment was answered, by what it asks for: track, zone or zones. The source is topic, " +
    "history, none (there was no such object) or failed.",
  ["asked", "source"],
);

/** `sourceOf` is called with the answer. */
export async function measurePastQuery<T>(
  asked: "track" | "zone" | "zones",
  run: () => Promise<T>,
  sourceOf: (answer: T) => "topic" | "history" | "none",
): Promise<T> {
  const startedAt = performance.now();
  let source: ReturnType<typeof sourceOf> | "failed" = "failed";
  try {
    const answer = await run();
    source = sourceOf(answer);
    return answer;
  } finally {
    pastQuerySeconds.observe({ asked, source }, (performance.now() - startedAt) / 1_000);
  }
}
