// The table of the outputs of the fold, one row for each topic. The fold fills a list for each row, a round of the
// state machine writes the lists in this order, and a takeover looks up the newest outputs. The record and the key of
// an output are those of its topic (topics.ts).
import type { Cause, Events } from "./events.ts";
import type { RecordOf, Topic } from "./topics.ts";

interface OutputRow<E> {
  /** The camera-log message that the output follows from. */
  readonly cause: (event: E) => Cause;
  readonly id: (event: E) => string;
  /** Bytes of the members that may be long. A round writes its outputs early when they have many. */
  readonly bytes: (event: E) => number;
  /**
   * Set when an output is in the partition with the same number as its cause's. The position of that partition in Redis
   * has the end of the topic's partition in these two fields. Null when a key chooses the partition.
   */
  readonly aligned: { readonly end: string; readonly lostEnd: string } | null;
}

const NUMBER_BYTES = 8;

const idOf = ({ partition, offset, index }: Cause): string => `${partition}-${offset}-${index}`;
const small = () => 0;

const outputs = {
  "zone-intersections": {
    cause: ({ cause }) => cause,
    id: ({ cause }) => idOf(cause),
    bytes: small,
    aligned: { end: "intersections", lostEnd: "lostOutputsEnd" },
  },
  "geofence-intersections": {
    cause: ({ cause }) => cause,
    id: ({ cause }) => idOf(cause),
    bytes: small,
    aligned: { end: "geofenceIntersections", lostEnd: "lostGeofenceOutputsEnd" },
  },
  zones: {
    // A message has the versions of one zone event.
    cause: ({ partition, offset }) => ({ partition, offset, index: 0 }),
    id: ({ partition, offset }) => `${partition}-${offset}`,
    // Even a version that changes only the name contains the zone's whole polygon.
    bytes: ({ zone }) => NUMBER_BYTES * (zone?.polygon.rings.reduce((sum, ring) => sum + ring.length, 0) ?? 0),
    aligned: null,
  },
  /**
   * A takeover does not look up the newest signals: after a crash some are in the topic twice, with the same id and
   * cause.
   */
  signals: {
    cause: ({ cause }) => cause,
    id: ({ id }) => id,
    // A track's state may be long, and a detection may raise many signals.
    bytes: ({ state }) => state.length,
    aligned: null,
  },
} as const satisfies { readonly [T in Topic]?: OutputRow<Events[RecordOf<T>]> };

export type OutputTopic = keyof typeof outputs;

/** An event of the topic. */
export type OutputEvent<T extends OutputTopic> = Events[RecordOf<T>];

/** The same table, with a type that relates each topic to its events. */
const rows: { readonly [T in OutputTopic]: OutputRow<OutputEvent<T>> } = outputs;

export const outputRow = <T extends OutputTopic>(topic: T): OutputRow<OutputEvent<T>> => rows[topic];

/** The topics, in the order in which a round writes them. */
export const outputTopics = Object.keys(outputs) as readonly OutputTopic[];

/** One value for each topic. */
export type PerOutput<T> = Readonly<Record<OutputTopic, T>>;

export const perOutput = <T>(of: (topic: OutputTopic) => T): PerOutput<T> => perTopic(outputTopics, of);

/** The topics whose partitions are those of the camera-log. */
export type AlignedTopic = {
  [T in OutputTopic]: (typeof outputs)[T]["aligned"] extends null ? never : T;
}[OutputTopic];

export const alignedTopics = outputTopics.filter((topic): topic is AlignedTopic => outputs[topic].aligned !== null);

/** The fields of a partition's position in Redis. */
export const alignedFields = perAligned((topic) => outputs[topic].aligned);

/** One value for each aligned topic. */
export type PerAligned<T> = Readonly<Record<AlignedTopic, T>>;

export function perAligned<T>(of: (topic: AlignedTopic) => T): PerAligned<T> {
  return perTopic(alignedTopics, of);
}

function perTopic<K extends string, T>(topics: readonly K[], of: (topic: K) => T): Readonly<Record<K, T>> {
  return Object.fromEntries(topics.map((topic) => [topic, of(topic)])) as Record<K, T>;
}
