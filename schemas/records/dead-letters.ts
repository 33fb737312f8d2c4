import { bytes, int, long, optional, record, string, time } from "../avro.ts";

export interface DeadLetter {
  /** `topic/partition/offset`: the same message always gets the same id. */
  readonly id: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly reason: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly recordedAt: number;
}

export const deadLetter = record<DeadLetter>("DeadLetter", {
  id: string,
  topic: string,
  partition: int,
  offset: long,
  reason: string,
  key: optional(bytes),
  value: optional(bytes),
  recordedAt: time,
});

/** Written to the topic dead-letters when the message of a letter has been written to its own topic again. */
export interface DeadLetterRedriven {
  /** Id of the letter. */
  readonly id: string;
  readonly redrivenAt: number;
  /** The place at which the message was written again. */
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

export const deadLetterRedriven = record<DeadLetterRedriven>("DeadLetterRedriven", {
  id: string,
  redrivenAt: time,
  topic: string,
  partition: int,
  offset: long,
});
