// The metrics of limits. A label names a limit, never a caller.
import { counter } from "../metrics/define.ts";

export const limitRefusals = counter(
  "limit_refusals_total",
  "Requests and operations that were refused because their token exceeded a limit, by the limit.",
  ["limit"],
);
