// The metrics of queries to ClickHouse for clients. A label `field` is a root field of the schema.
import { durations, observedGauge } from "../../common/metrics/define.ts";

export const historyQueries = observedGauge(
  "history_queries",
  "Queries to ClickHouse for clients. The state is running or waiting.",
  ["state"],
);

export const historyWaitSeconds = durations(
  "history_wait_seconds",
  "Time for which a query to ClickHouse waited until its turn.",
);

export const historyQuerySeconds = durations(
  "history_query_seconds",
  "Time from the turn of a query to ClickHouse to its last row, by the first root field of its operation.",
  ["field"],
);
