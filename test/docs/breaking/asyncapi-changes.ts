// Compares two AsyncAPI documents of the log.
import avro from "avsc";
import { messageOf } from "../../../schemas/errors.ts";
import { breaking, type Change, isObject, type JsonObject, listAt, objectAt, resolveReference } from "./finding.ts";
import { createSchemaComparison } from "./json-schema.ts";

export function asyncApiChanges(before: JsonObject, after: JsonObject): readonly Change[] {
  const channels = objectAt(after, "channels");
  const messages = objectAt(objectAt(after, "components"), "messages");
  const ofChannels = Object.entries(objectAt(before, "channels")).flatMap(([topic, old]) => {
    const present = channels[topic];
    if (!isObject(old)) return [];
    return isObject(present) ? channelChanges(topic, old, present) : [breaking(`topic ${topic}: was removed`)];
  });
  const ofMessages = Object.entries(objectAt(objectAt(before, "components"), "messages")).flatMap(([type, old]) => {
    const present = messages[type];
    // A message that is gone is reported with its topic.
    return isObject(old) && isObject(present) ? messageChanges(type, [before, old], [after, present]) : [];
  });
  return [...ofChannels, ...ofMessages];
}

/** Members that clients rely on as they are. */
const FIXED = { address: "address", "x-key": "key", "x-partitioner": "partitioner" } as const;

function channelChanges(topic: string, old: JsonObject, present: JsonObject): readonly Change[] {
  const where = `topic ${topic}`;
  const changed = (name: string, was: unknown, is: unknown) =>
    JSON.stringify(was) === JSON.stringify(is) ? [] : [breaking(`${where}: ${name} ${was} became ${is}`)];
  const [oldKafka, kafka] = [old, present].map((channel) => objectAt(objectAt(channel, "bindings"), "kafka"));
  const [oldSettings, settings] = [oldKafka, kafka].map((binding) => objectAt(binding, "topicConfiguration"));
  const names = objectAt(present, "messages");
  const wasOpen = listAt(old, "x-writers").includes("producers");
  return [
    ...Object.entries(FIXED).flatMap(([member, name]) => changed(name, old[member], present[member])),
    ...changed("partitions", oldKafka?.["partitions"], kafka?.["partitions"]),
    ...changed("cleanup.policy", oldSettings?.["cleanup.policy"], settings?.["cleanup.policy"]),
    ...(isShorter(oldSettings?.["retention.ms"], settings?.["retention.ms"])
      ? [breaking(`${where}: keeps messages for a shorter time`)]
      : []),
    ...Object.keys(objectAt(old, "messages"))
      .filter((type) => !(type in names))
      .map((type) => breaking(`${where}: ${type} was removed`)),
    ...(wasOpen && !listAt(present, "x-writers").includes("producers")
      ? [breaking(`${where}: producers may not write to it`)]
      : []),
  ];
}

/** -1 is for ever. */
const isShorter = (was: unknown, is: unknown): boolean =>
  typeof was === "number" && typeof is === "number" && is !== -1 && (was === -1 || is < was);

type MessageIn = readonly [JsonObject, JsonObject];

function messageChanges(type: string, [before, old]: MessageIn, [after, present]: MessageIn): readonly Change[] {
  const where = `message ${type}`;
  const fixed = ["contentType", "x-registry-subject"].flatMap((member) =>
    old[member] === present[member] ? [] : [breaking(`${where}: ${member} ${old[member]} became ${present[member]}`)],
  );
  const keyOf = (message: JsonObject) => objectAt(objectAt(objectAt(message, "bindings"), "kafka"), "key");
  const schemas = [
    ["headers", objectAt(old, "headers"), objectAt(present, "headers")],
    ["key", keyOf(old), keyOf(present)],
  ] as const;
  const compare = createSchemaComparison();
  return [
    ...fixed,
    ...schemas.flatMap(([name, was, is]) =>
      compare({ document: before, schema: was }, { document: after, schema: is }, "answered", `${where} ${name}`),
    ),
    ...avroChanges(where, avroOf(before, old), avroOf(after, present)),
  ];
}

function avroOf(document: JsonObject, message: JsonObject): avro.Schema {
  const { schema } = objectAt(message, "payload");
  const reference = isObject(schema) ? schema["$ref"] : undefined;
  const found = typeof reference === "string" ? resolveReference(document, reference) : schema;
  // The wire: avsc checks the schema when it makes a type of it.
  return found as avro.Schema;
}

/** Messages of both schemas are in one topic: readers of either must be able to read those of the other. */
function avroChanges(where: string, old: avro.Schema, present: avro.Schema): readonly Change[] {
  const [was, is] = [avro.Type.forSchema(old), avro.Type.forSchema(present)];
  return [
    ...unreadable(() => is.createResolver(was), `${where}: readers of the new schema cannot read old messages`),
    ...unreadable(() => was.createResolver(is), `${where}: readers of the old schema cannot read new messages`),
  ];
}

function unreadable(resolve: () => unknown, text: string): readonly Change[] {
  try {
    resolve();
    return [];
  } catch (error) {
    return [breaking(`${text} (${messageOf(error)})`)];
  }
}
