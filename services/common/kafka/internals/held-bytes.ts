// Measures the memory that a message keeps from being freed. Its key and value are views of the buffer of its batch,
// and each of them keeps the whole buffer: a value of one byte may hold 16 MiB.
import type { KafkaMessage } from "kafkajs";

/** Excludes the few hundred bytes of the message object itself. */
export function heldBytes(message: KafkaMessage): number {
  const held: unknown = Reflect.get(message, "heldBytes");
  return typeof held === "number" ? held : (message.key?.length ?? 0) + (message.value?.length ?? 0);
}
