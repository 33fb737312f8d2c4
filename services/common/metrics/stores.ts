// Failures of stores, as the process saw them.
import { counter } from "./define.ts";

export const storeErrors = counter(
  "store_errors_total",
  "Failed requests to ClickHouse and failed connections to Redis. The verdict is away, full, too-heavy or mistake.",
  ["store", "verdict"],
);
