// A broker's metadata of topics: their ids, and the leaders of their partitions. kafkajs requests metadata in a form
// without ids, and refuses the whole answer when one partition has no leader; so this module uses the form of Kafka
// 2.8, over kafkajs' own connections.
import { createRequire } from "node:module";

/** The members of kafkajs' connections to a broker that a request needs. */
export interface ConnectionPool {
  send<Answer>(exchange: {
    readonly request: {
      readonly apiKey: number;
      readonly apiVersion: number;
      readonly apiName: string;
      readonly encode: () => Promise<unknown>;
    };
    readonly response: {
      readonly decode: (bytes: Buffer) => Promise<Answer>;
      readonly parse: (answer: Answer) => Promise<Answer>;
    };
  }): Promise<Answer>;
}

export interface Metadata {
  readonly brokers: readonly BrokerAddress[];
  readonly topics: readonly TopicMetadata[];
}

export interface BrokerAddress {
  readonly nodeId: number;
  readonly host: string;
  readonly port: number;
}

export interface TopicMetadata {
  readonly name: string;
  /** Id in the form that Kafka's own tools print. */
  readonly id: string;
  readonly partitions: readonly PartitionMetadata[];
}

export interface PartitionMetadata {
  readonly partition: number;
  /** Id of a broker, -1 without a leader. */
  readonly leader: number;
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

const require = createRequire(import.meta.url);
const EncoderClass: new () => Encoder = require("kafkajs/src/protocol/encoder.js");
const DecoderClass: new (bytes: Buffer) => Decoder = require("kafkajs/src/protocol/decoder.js");
const errors: { createErrorFromCode(code: number): Error } = require("kafkajs/src/protocol/error.js");

const METADATA = { apiKey: 3, apiVersion: 10, apiName: "Metadata" } as const;
const NO_TAGS = 0;
const NO_ID = Buffer.alloc(16);

/** Rejects when one of the topics does not exist. */
export function fetchMetadata(connections: ConnectionPool, topics: readonly string[]): Promise<Metadata> {
  return connections.send({
    request: { ...METADATA, encode: async () => encodeRequest(topics) },
    response: { decode: async (bytes) => decodeResponse(new DecoderClass(bytes)), parse: async (found) => found },
  });
}

/** Format: https://kafka.apache.org/protocol#The_Messages_Metadata, version 10, after the tags of its header. */
function encodeRequest(topics: readonly string[]): Encoder {
  const body = new EncoderClass().writeInt8(NO_TAGS).writeUVarIntArray(topics.map(encodeTopic));
  // The broker must not create topics, and need not list authorized operations.
  return body.writeInt8(0).writeInt8(0).writeInt8(0).writeInt8(NO_TAGS);
}

/** Topics are requested by name, with an empty id. */
function encodeTopic(name: string): Encoder {
  const id = new EncoderClass().writeInt32(0).writeInt32(0).writeInt32(0).writeInt32(0);
  return id.writeUVarIntString(name).writeInt8(NO_TAGS);
}

function decodeResponse(decoder: Decoder): Metadata {
  decoder.readTaggedFields();
  decoder.readInt32();
  const brokers = decoder.readUVarIntArray(readBroker);
  decoder.readUVarIntString();
  decoder.readInt32();
  return { brokers, topics: decoder.readUVarIntArray(readTopic) };
}

/** The rack is last and is not needed. */
function readBroker(decoder: Decoder): BrokerAddress {
  const broker = { nodeId: decoder.readInt32(), host: decoder.readUVarIntString() ?? "", port: decoder.readInt32() };
  decoder.readUVarIntString();
  decoder.readTaggedFields();
  return broker;
}

function readTopic(decoder: Decoder): TopicMetadata {
  const errorCode = decoder.readInt16();
  const name = decoder.readUVarIntString() ?? "";
  const id = decoder.readBytes(NO_ID.length);
  decoder.readInt8();
  const partitions = decoder.readUVarIntArray(readPartition);
  decoder.readInt32();
  decoder.readTaggedFields();
  return { name, id: idText(id, errorCode), partitions };
}

/** The leader's epoch and the replicas follow: all, in sync, offline. `leader` is -1 when there is no leader. */
function readPartition(decoder: Decoder): PartitionMetadata {
  decoder.readInt16();
  const partition = decoder.readInt32();
  const leader = decoder.readInt32();
  decoder.readInt32();
  for (let list = 0; list < 3; list++) decoder.readUVarIntArray((each) => each.readInt32());
  decoder.readTaggedFields();
  return { partition, leader };
}

function idText(id: Buffer, errorCode: number): string {
  if (!id.equals(NO_ID)) return id.toString("base64url");
  throw errorCode === 0 ? new Error("the broker gives topics no ids") : errors.createErrorFromCode(errorCode);
}
