// A record kind is an event with a topic of its own, from which the history has a table.
import type { AvroRecord } from "../avro.ts";
import type { Flaw } from "../flaw.ts";
import type { Process, TopicSpec } from "../topic-spec.ts";

interface RecordDescription<Type extends string, Event, Writer extends Process, Reader extends Process>
  extends Omit<TopicSpec, "records"> {
  /** The name of the event and of its Avro record. */
  readonly type: Type;
  readonly event: AvroRecord<Event>;
  /**
   * Checks an event before a reader derives anything from it. `latest` is the last instant allowed. Absent when a
   * well-formed event needs no further check.
   */
  check?(event: Event, latest: number): Flaw | undefined;
  readonly key: keyof Event & string;
  readonly writers: readonly Writer[];
  readonly readers: readonly Reader[];
}

/** A description that is also the topic's row in the table of topics. */
interface RecordKind<Type extends string, Event, Writer extends Process, Reader extends Process>
  extends RecordDescription<Type, Event, Writer, Reader> {
  readonly records: readonly [Type];
}

export const defineRecord = <Type extends string, Event, Writer extends Process, Reader extends Process>(
  description: RecordDescription<Type, Event, Writer, Reader>,
): RecordKind<Type, Event, Writer, Reader> => ({ ...description, records: [description.type] });

export type EventOfKind<Kind> = Kind extends { readonly event: AvroRecord<infer Event> } ? Event : never;
