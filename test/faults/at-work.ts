/** The log message of a service that has begun to work on its share of the log. */
export const AT_WORK = {
  "state-machine": "partitions taken over",
  projector: "partitions assigned",
} as const;
