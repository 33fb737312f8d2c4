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

/** The message that caused a signal. A signal of one subscription and partition whose cause is not newer is a repetition. */
export interface SignalCause {
  readonly topic: "camera-log" | "chronicles";
  readonly partition: number;
  readonly offset: number;
  /** The number of the signal among those of one subscription and one message. */
  readonly index: number;
}

/** What one subscription is to be told. */
export interface SignalRaised {
  /** UUIDv5(subscription, generation, signal, subject, cause). The receiver knows a repetition by it. */
  readonly id: string;
  readonly subscriptionId: string;
  /** When the subscription was created, ms: one that gets the id later is another one. 0 = not said, so nobody's. */
  readonly generation: number;
  readonly signal: SignalName;
  /** The track, the zone or the chronicle. */
  readonly subjectId: string;
  /** The track's; null = not said. */
  readonly dataSourceId: string | null;
  /** The event time of the signal. */
  readonly timestamp: number;
  /** The state of the subject as JSON. Names of the catalog are not in it: its reader adds them. */
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
