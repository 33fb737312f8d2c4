import { int, long, optional, record, string, time, withDefault, word } from "../avro.ts";
import type { ChronicleSignal } from "./subscription.ts";

export type SignalName =
  | "track_created"
  | "track_updated"
  | "track_expired"
  | "zone_occupied"
  | "zone_updated"
  | "zone_empty"
  | ChronicleSignal;

export type ExpiredBy = "event_time" | "wall_clock" | "end_time";
export type EmitReason = "composition_changed" | "heartbeat";

/**
 * The message that caused a signal. Within one subscription and partition, a signal whose cause is not newer than the
 * last one's is a repetition.
 */
export interface SignalCause {
  readonly topic: "camera-log" | "chronicles";
  readonly partition: number;
  readonly offset: number;
  /** The number of the signal among those of one subscription and one message. */
  readonly index: number;
}

/** A notification for one subscription. */
export interface SignalRaised {
  /** UUIDv5(subscription, generation, signal, subject, cause), by which the receiver recognises a repetition. */
  readonly id: string;
  readonly subscriptionId: string;
  /**
   * Time at which the subscription was created, ms. It distinguishes the subscription from a later one with the same
   * id. 0 means unknown, so the signal belongs to no subscription.
   */
  readonly generation: number;
  readonly signal: SignalName;
  /** Id of the track, the zone or the chronicle. */
  readonly subjectId: string;
  /** The track's data source. Null when unknown. */
  readonly dataSourceId: string | null;
  /** The event time of the signal. */
  readonly timestamp: number;
  /**
   * The state of the subject as JSON. It does not contain the catalog's names; services/webhooks adds them when it
   * delivers the signal.
   */
  readonly state: string;
  readonly emitReason: EmitReason | null;
  readonly expiredBy: ExpiredBy | null;
  readonly cause: SignalCause;
}

export const signalRaised = record<SignalRaised>("SignalRaised", {
  id: string,
  subscriptionId: string,
  generation: withDefault(time, 0),
  signal: word<SignalName>(),
  subjectId: string,
  dataSourceId: optional(string),
  timestamp: time,
  state: string,
  emitReason: optional(word<EmitReason>()),
  expiredBy: optional(word<ExpiredBy>()),
  cause: record<SignalCause>("SignalCause", {
    topic: word<SignalCause["topic"]>(),
    partition: int,
    offset: long,
    index: int,
  }),
});
