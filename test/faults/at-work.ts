/** What a service of a group logs when it has begun to work on its share of the log. */
export const AT_WORK = {
  "state-machine": "partitions taken over",
  projector: "partitions assigned",
} as const;
