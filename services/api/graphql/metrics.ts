// The metrics of operations. A label `field` is a root field of the schema, and `code` one of its error codes.
import { counter, durations } from "../../common/metrics/define.ts";

export const operationSeconds = durations(
  "operation_seconds",
  "Time until a query or a mutation was answered, by its first root field.",
  ["field"],
);

export const operationErrors = counter(
  "operation_errors_total",
  "Errors in answers and refused requests, by their code.",
  ["code"],
);
