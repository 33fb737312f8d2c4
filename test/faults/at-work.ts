import type { ServiceName } from "../support/processes.ts";

/** What a service logs when it has begun to work on its share of the log. */
export const AT_WORK = {
  "state-machine": "partitions taken over",
  projector: "partitions assigned",
  api: "ready",
} as const satisfies Record<ServiceName, string>;
