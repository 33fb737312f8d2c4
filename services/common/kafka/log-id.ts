// Which log a topic's name leads to now: a topic that was deleted and made again has another id. kafkajs asks for
// metadata in a form that does not carry it yet, so this asks in the form of Kafka 2.8, over kafkajs' own connections.
import { createRequire } from "node:module";
import type { Kafka } from "kafkajs";
import { createCluster } from "./cluster.ts";
import { whileRetriable } from "./offsets.ts";

/** As much of kafkajs' cluster of brokers as is needed to ask one of them. */
interface Cluster {
  /** Tries one broker after the other. */
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  readonly brokerPool: { findConnectedBroker(): Promise<{ readonly connectionPool: ConnectionPool }> };
}

interface ConnectionPool {
  send<Answer>(exchange: {
    readonly request: typeof METADATA & { readonly encode: () => Promise<Encoder> };
    readonly response: {
      readonly decode: (bytes: Buffer) => Promise<Answer>;
      readonly parse: (answer: Answer) => Promise<Answer>;
    };
  }): Promise<Answer>;
}

interface Encoder {
  writeInt8(value: number): Encoder;
  writeInt32(value: number): Encoder;
  writeUVarIntString(value: string): Encoder;
  writeUVarIntArray(items: readonly Encoder[]): Encoder;
}

interface Decoder {
  readInt8(): number;
  readInt16(): number;
  readInt32(): number;
  readBytes(length: number): Buffer;
  readUVarIntString(): string | null;
  readUVarIntArray<T>(read: (decoder: Decoder) => T): T[];
  readTaggedFields(): unknown;
}

interface TopicAnswer {
  readonly name: string | null;
  readonly errorCode: number;
  readonly id: Buffer;
}

const require = createRequire(import.meta.url);
const EncoderClass: new () => Encoder = require("kafkajs/src/protocol/encoder.js");
const DecoderClass: new (bytes: Buffer) => Decoder = require("kafkajs/src/protocol/decoder.js");
const errors: { createErrorFromCode(code: number): Error } = require("kafkajs/src/protocol/error.js");

const METADATA = { apiKey: 3, apiVersion: 10, apiName: "Metadata" } as const;
const NO_TAGS = 0;
const NO_ID = Buffer.alloc(16);

/** The id of each topic, as Kafka's own tools print it. Rejects when one of them does not exist. */
export function topicIds(kafka: Kafka, topics: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return whileRetriable(async () => {
    const cluster = createCluster<Cluster>(kafka);
    try {
      await cluster.connect();
      const { connectionPool } = await cluster.brokerPool.findConnectedBroker();
      const answers = await connectionPool.send({
        request: { ...METADATA, encode: async () => encodeRequest(topics) },
        response: { decode: async (bytes) => decodeResponse(new DecoderClass(bytes)), parse: async (found) => found },
      });
      return new Map(answers.map(({ name, errorCode, id }) => [name ?? "", idText(id, errorCode)]));
    } finally {
      await cluster.disconnect();
    }
  });
}

/** https://kafka.apache.org/protocol#The_Messages_Metadata, version 10, behind the tags of its header. */
function encodeRequest(topics: readonly string[]): Encoder {
  const body = new EncoderClass().writeInt8(NO_TAGS).writeUVarIntArray(topics.map(encodeTopic));
  // Neither create topics nor say what is authorised.
  return body.writeInt8(0).writeInt8(0).writeInt8(0).writeInt8(NO_TAGS);
}

/** Asked for by name, with an empty id. */
function encodeTopic(name: string): Encoder {
  const id = new EncoderClass().writeInt32(0).writeInt32(0).writeInt32(0).writeInt32(0);
  return id.writeUVarIntString(name).writeInt8(NO_TAGS);
}

function decodeResponse(decoder: Decoder): TopicAnswer[] {
  decoder.readTaggedFields();
  decoder.readInt32();
  decoder.readUVarIntArray(skipBroker);
  decoder.readUVarIntString();
  decoder.readInt32();
  return decoder.readUVarIntArray(readTopic);
}

/** Node id, host, port, rack. */
function skipBroker(decoder: Decoder): void {
  decoder.readInt32();
  decoder.readUVarIntString();
  decoder.readInt32();
  decoder.readUVarIntString();
  decoder.readTaggedFields();
}

function readTopic(decoder: Decoder): TopicAnswer {
  const errorCode = decoder.readInt16();
  const name = decoder.readUVarIntString();
  const id = decoder.readBytes(NO_ID.length);
  decoder.readInt8();
  decoder.readUVarIntArray(skipPartition);
  decoder.readInt32();
  decoder.readTaggedFields();
  return { name, errorCode, id };
}

/** Error, number, leader, leader epoch; replicas, those in sync, those offline. */
function skipPartition(decoder: Decoder): void {
  decoder.readInt16();
  for (let field = 0; field < 3; field++) decoder.readInt32();
  for (let list = 0; list < 3; list++) decoder.readUVarIntArray((each) => each.readInt32());
  decoder.readTaggedFields();
}

function idText(id: Buffer, errorCode: number): string {
  if (!id.equals(NO_ID)) return id.toString("base64url");
  throw errorCode === 0 ? new Error("the broker gives topics no ids") : errors.createErrorFromCode(errorCode);
}
