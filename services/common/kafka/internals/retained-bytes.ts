// Measures the memory that a message keeps from being freed. Its key and value are views of the buffer of its batch,
// and each of them retains the whole buffer: a value of one byte may retain 16 MiB.
import type { KafkaMessage } from "kafkajs";

/** Excludes the few hundred bytes of the message object itself. */
export function retainedBytes(message: KafkaMessage): number {
  const retained: unknown = Reflect.get(message, "retainedBytes");
  return typeof retained === "number" ? retained : (message.key?.length ?? 0) + (message.value?.length ?? 0);
}
