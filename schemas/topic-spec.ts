// The properties of a topic. schemas/topics.ts has the table of all topics.
export type Process =
  | "api"
  | "state-machine"
  | "projector"
  | "state-api"
  | "webhooks"
  | "replay"
  | "tokens"
  | "dead-letters"
  | "producers";

export interface TopicSpec {
  /** The member of an event that is the key of its message. */
  readonly key: string;
  /** Readers refuse all other records. */
  readonly records: readonly string[];
  /** `producers` are processes that write to the log without the API. */
  readonly writers: readonly Process[];
  readonly readers: readonly Process[];
  readonly partitions: number;
  readonly cleanup: "delete" | "compact";
  /** Milliseconds for which Kafka keeps messages; -1 keeps them for ever. Ignored for compacted topics. */
  readonly retentionMs: number;
  /**
   * True when the topic is kept for as long as the camera-log, if that is longer: a rebuild of the history reads both.
   */
  readonly isKeptWithCameraLog?: boolean;
}

export const CAMERA_PARTITIONS = 12;
