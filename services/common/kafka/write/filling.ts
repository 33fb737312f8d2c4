// The life of a namespace that is made by copying another one (npm run repartition), in the settings of its topics.
// While they are filled, their messages keep the times of the originals; a topic is open for other writers once the
// broker gives the times. A topic that is closed takes no message any more.
import kafkajs, { type Admin } from "kafkajs";
import { MIB } from "../../../../schemas/units.ts";

/** The setting by which the writer of a message, or the broker, gives its time. */
export const TIMESTAMP_TYPE = "message.timestamp.type";
/** Its value for a topic that keeps the times of the writers. */
export const TIMES_OF_WRITERS = "CreateTime";

/** Settings of a topic while it is filled. */
export const FILLING: ReadonlyMap<string, string> = new Map([
  [TIMESTAMP_TYPE, TIMES_OF_WRITERS],
  // A copy has a header more than the original, which may have the largest size.
  ["max.message.bytes", String(9 * MIB)],
]);

/**
 * Settings of a topic that takes no message any more. Each producer is refused, whatever its client is, and the API
 * answers UNAVAILABLE. The marker of a transaction has 78 bytes and is still taken, so an unfinished transaction can
 * end; the smallest event has more than 80.
 */
export const CLOSED: ReadonlyMap<string, string> = new Map([["max.message.bytes", "80"]]);

/** @returns true when the topic holds copies and is not open yet. */
export async function isFilling(admin: Admin, topic: string): Promise<boolean> {
  const type = (await valuesOnTopics(admin, [topic], TIMESTAMP_TYPE)).get(topic);
  if (type === undefined) throw new Error(`the broker does not say how ${topic} gets its times`);
  return type === TIMES_OF_WRITERS;
}

/** Resolves with the value of the setting by topic. Rejects when a topic is missing. */
export async function valuesOnTopics(
  admin: Admin,
  topics: readonly string[],
  setting: string,
): Promise<ReadonlyMap<string, string | undefined>> {
  if (topics.length === 0) return new Map();
  const type = kafkajs.ConfigResourceTypes.TOPIC;
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map((name) => ({ type, name, configNames: [setting] })),
  });
  return new Map(resources.map(({ resourceName, configEntries }) => [resourceName, configEntries[0]?.configValue]));
}
