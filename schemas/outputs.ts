// The topics with outputs of the fold. An output is in the partition with the same number as the camera-log partition from
// which it derives.

/** By topic: the fields of a partition's position in Redis that hold the end of the topic's partition. */
export const outputFields = {
  "zone-intersections": { end: "intersections", lostEnd: "lostOutputsEnd" },
  "geofence-intersections": { end: "geofenceIntersections", lostEnd: "lostGeofenceOutputsEnd" },
} as const;

export type OutputTopic = keyof typeof outputFields;

export const outputTopics = Object.keys(outputFields) as readonly OutputTopic[];

/** One value for each topic. */
export type PerOutput<T> = Readonly<Record<OutputTopic, T>>;

export const perOutput = <T>(of: (topic: OutputTopic) => T): PerOutput<T> =>
  Object.fromEntries(outputTopics.map((topic) => [topic, of(topic)])) as PerOutput<T>;
