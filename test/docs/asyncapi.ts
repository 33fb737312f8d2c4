// The AsyncAPI document of the log: topics with their keys and partitioners, and messages with their headers and Avro
// schemas. Everything but the sentences comes from schemas/.
import { readdirSync, readFileSync } from "node:fs";
import { type EventType, eventTypes, records } from "../../schemas/events.ts";
import { headersOf, LOG_ID, LOST_END, TYPE } from "../../schemas/headers.ts";
import { alignedTopics, outputTopics } from "../../schemas/outputs.ts";
import type { TopicSpec } from "../../schemas/topic-spec.ts";
import { type Topic, topicOf, topics } from "../../schemas/topics.ts";
import { TRACE_PARENT } from "../../schemas/trace-parent.ts";
import { eventTexts, topicTexts } from "./log-texts.ts";

type Json = Readonly<Record<string, unknown>>;

const ASYNCAPI_VERSION = "3.1.0";
/** The version of the bindings of Kafka that the document uses. */
const BINDING = { bindingVersion: "0.5.0" } as const;
const AVRO_FORMAT = "application/vnd.apache.avro;version=1.9.0";

const EXAMPLES = new URL("../../schemas/examples/", import.meta.url);

const topicNames = Object.keys(topics) as Topic[];
const specOf = (topic: Topic): TopicSpec => topics[topic];

export function asyncApiDocument(): Json {
  return {
    asyncapi: ASYNCAPI_VERSION,
    info: {
      title: "tracklog: the log",
      version: "1.0.0",
      description:
        "The topics of tracklog in Kafka. Producers may write to those whose writers include `producers`; anybody who " +
        "may read the topics may follow them. If `TRACKLOG_NAMESPACE` is set, the name of each topic begins with it " +
        "and a dot. Rules and programs for producers: docs/producers.md.",
      license: { name: "MIT" },
    },
    defaultContentType: "avro/binary",
    servers: { kafka: serverOf() },
    channels: Object.fromEntries(topicNames.map((topic) => [topic, channelOf(topic)])),
    operations: Object.assign({}, ...topicNames.map(operationsOf)),
    components: {
      messages: Object.fromEntries(eventTypes.map((type) => [type, messageOf(type)])),
      securitySchemes: {
        plain: { type: "plain", description: "SASL/PLAIN, as the broker of `npm start` asks for it" },
        scramSha256: { type: "scramSha256", description: "SASL/SCRAM-SHA-256" },
        scramSha512: { type: "scramSha512", description: "SASL/SCRAM-SHA-512" },
      },
    },
  };
}

const serverOf = (): Json => ({
  host: "{brokers}",
  protocol: "kafka",
  description: "The brokers of the installation. The installation chooses whether they ask for TLS and a login.",
  variables: { brokers: { default: "127.0.0.1:9092", description: "`KAFKA_BROKERS`" } },
  security: ["plain", "scramSha256", "scramSha512"].map((name) => ({ $ref: `#/components/securitySchemes/${name}` })),
  bindings: {
    kafka: {
      schemaRegistryUrl: "http://127.0.0.1:8081/apis/ccompat/v7",
      schemaRegistryVendor: "confluent",
      ...BINDING,
    },
  },
});

function channelOf(topic: Topic): Json {
  const { key, records: names, writers, readers, partitions, cleanup, retentionMs } = specOf(topic);
  const kept = cleanup === "delete" ? { "retention.ms": retentionMs } : {};
  return {
    address: topic,
    description: topicTexts[topic],
    messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
    bindings: {
      kafka: { partitions, topicConfiguration: { "cleanup.policy": [cleanup], ...kept }, ...BINDING },
    },
    "x-key": key,
    "x-partitioner": partitionerOf(topic),
    "x-writers": writers,
    "x-readers": readers,
  };
}

/** `single`: the topic has one partition. `cause`: the partition of the camera-log message that the event is of. */
function partitionerOf(topic: Topic): "single" | "cause" | "murmur2" {
  if (specOf(topic).partitions === 1) return "single";
  return (alignedTopics as readonly Topic[]).includes(topic) ? "cause" : "murmur2";
}

/** The actions are those of tracklog: it receives what producers send. */
function operationsOf(topic: Topic): Json {
  const { writers, records: names } = specOf(topic);
  const name = topic.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const operation = (action: "send" | "receive", summary: string): Json => ({
    action,
    channel: { $ref: `#/channels/${topic}` },
    summary,
    messages: names.map((each) => ({ $ref: `#/channels/${topic}/messages/${each}` })),
  });
  const isOpen = writers.includes("producers");
  return {
    [`receive${name}`]: operation(
      "receive",
      isOpen ? "Reads what producers and tracklog write" : "Reads its own events",
    ),
    [`send${name}`]: operation("send", `Writes events to ${topic}`),
  };
}

function messageOf(type: EventType): Json {
  const topic = topicOf(type);
  const schema = records[type];
  return {
    name: type,
    title: type,
    summary: eventTexts[type],
    contentType: "avro/binary",
    headers: headersSchema(type, topic),
    payload: { schemaFormat: AVRO_FORMAT, schema },
    bindings: {
      kafka: {
        key: { type: "string", description: `\`${specOf(topic).key}\`, as text in UTF-8` },
        schemaIdLocation: "payload",
        schemaIdPayloadEncoding: "confluent",
        schemaLookupStrategy: "RecordNameStrategy",
        ...BINDING,
      },
    },
    examples: examplesOf(type),
    "x-registry-subject": `${schema.namespace}.${schema.name}`,
  };
}

const headerTexts: Readonly<Record<string, string>> = {
  ce_id: "Id of the message",
  ce_source: "Process that wrote the message, such as `tracklog/api`",
  ce_time: "Time of the writing",
  [LOG_ID]: "Id of the log to which the offsets in the event belong",
  [TRACE_PARENT]: "Trace that the message follows from, if that is recorded (W3C Trace Context)",
  [LOST_END]: "End offsets of the log and of the outputs at the time when the log lost its end, if it did",
};

/** Attributes of CloudEvents, which all messages of tracklog have, and the trace. No reader requires them. */
function headersSchema(type: EventType, topic: Topic): Json {
  const named = headersOf({ id: "", type, source: "", timeMs: 0 });
  const ofOutputs = (outputTopics as readonly Topic[]).includes(topic) ? [LOG_ID, LOST_END] : [];
  const properties = [...Object.keys(named), ...ofOutputs, TRACE_PARENT].map((name) => {
    if (name === TYPE) return [name, { type: "string", const: named[TYPE], description: "Type of the event" }];
    const format = name === "ce_time" ? { format: "date-time" } : {};
    return [name, { type: "string", ...format, description: headerTexts[name] }];
  });
  return { type: "object", properties: Object.fromEntries(properties) };
}

function examplesOf(type: EventType): readonly Json[] {
  const folder = new URL(`${type}/`, EXAMPLES);
  return readdirSync(folder)
    .sort()
    .map((file) => ({
      name: file.replace(/\.json$/, ""),
      payload: JSON.parse(readFileSync(new URL(file, folder), "utf8")),
    }));
}
