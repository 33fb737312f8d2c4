// Notices a registry that has lost its data. It would give the ids of the old schemas to others, and readers would
// decode old messages with the wrong schemas.
import type { Kafka } from "kafkajs";
import type { Codec } from "../../../schemas/codec.ts";
import { eventTypes } from "../../../schemas/events.ts";
import { TYPE } from "../../../schemas/headers.ts";
import { offsetRanges } from "../kafka/offsets.ts";
import { awaitEnds } from "../kafka/read/await-ends.ts";
import { createLogFetcher } from "../kafka/read/fetch-log.ts";
import type { Part } from "../lifecycle.ts";
import type { Log } from "../log.ts";
import { PermanentError } from "../permanent-errors.ts";
import { registrySubjectOf } from "./codec.ts";

export interface RegistryCheckOptions {
  readonly kafka: Kafka;
  readonly codec: Codec;
  /** Name on the broker of a topic that is kept for ever: its first messages are as old as the installation. */
  readonly topic: string;
  readonly log: Log;
  /** Milliseconds for which a schema that the registry does not have is waited for. */
  readonly patienceMs?: number;
}

const FETCH_BYTES = 64 * 1024;
/**
 * Milliseconds for which the check waits for a schema. An instance of the registry may not have the schemas of an
 * installation that is just beginning.
 */
const PATIENCE_MS = 20_000;
const known: ReadonlySet<string> = new Set(eventTypes.map(registrySubjectOf));

export function registryCheck(options: RegistryCheckOptions): Part {
  const stopped = new AbortController();
  return {
    name: "registry check",
    async start() {
      for (const { offset, value, headers } of await firstMessages(options, stopped.signal)) {
        const written = headers?.[TYPE]?.toString() ?? "";
        const decoded = options.codec.decode(value);
        if (!known.has(written) || (decoded.ok && registrySubjectOf(decoded.type) === written)) continue;
        throw new PermanentError(
          `the schema registry takes ${options.topic}/0/${offset} for ${decoded.ok ? registrySubjectOf(decoded.type) : decoded.reason}, ` +
            `but it was written as ${written}: the registry has lost its data, or is another one. Give it back its data ` +
            "before a service starts",
        );
      }
    },
    stop: async () => stopped.abort(),
  };
}

async function firstMessages(
  { kafka, codec, topic, log, patienceMs = PATIENCE_MS }: RegistryCheckOptions,
  signal: AbortSignal,
) {
  const admin = kafka.admin();
  const fetcher = createLogFetcher(kafka, FETCH_BYTES);
  try {
    await Promise.all([admin.connect(), fetcher.start()]);
    if ((await awaitEnds({ kafka, topics: [topic], log, signal })) === undefined) return [];
    const [range] = await offsetRanges(admin, topic);
    if (range === undefined || range.high === range.low) return [];
    const { messages } = await fetcher.fetch({ topic, partition: range.partition }, range.low);
    await codec.loadSchemas(
      messages.map(({ value }) => value),
      { topic, patienceMs },
    );
    return messages;
  } finally {
    await Promise.all([admin.disconnect(), fetcher.stop()]);
  }
}
