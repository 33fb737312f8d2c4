// The figures of a run as a table in Markdown.
import { nameOf } from "./fleet.ts";
import type { Replaced } from "./replacements.ts";

const HEAD = [
  "process",
  "version",
  "stop, s",
  "start, s",
  "lag back after, s",
  "largest lag (state machine / projector / webhooks), s",
  "longest without an answer (GraphQL / REST), s",
  "longest without a message (subscriber / receiver), s",
  "retryable answers",
];

export function tableOfReplaced(rows: readonly Replaced[]): string {
  const lines = rows.map((row) => {
    const { place, version, stopMs, startMs, backMs, largestLagMs: lag, longestGapMs: gap } = row;
    return [
      nameOf(place),
      `${version.name} (${version.commit})`,
      seconds(stopMs),
      seconds(startMs),
      seconds(backMs),
      [lag["state-machine"], lag.projector, lag.webhooks].map(seconds).join(" / "),
      [gap.graphql, gap.rest].map(seconds).join(" / "),
      [gap.subscriber, gap.webhooks].map(seconds).join(" / "),
      Object.entries(row.retryable)
        .map(([kind, count]) => `${count} ${kind}`)
        .join(", "),
    ];
  });
  return [HEAD, HEAD.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
