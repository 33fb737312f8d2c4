import { ReplyError } from "ioredis";
import kafkajs from "kafkajs";
import { expect, test } from "vitest";
import { isStoreAway } from "../../../services/common/store-away.ts";

const { KafkaJSNonRetriableError, KafkaJSProtocolError } = kafkajs;

const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

test.each([
  ["a socket that nobody listens on", refused],
  ["a full Redis", new ReplyError("OOM command not allowed when used memory > 'maxmemory'.")],
  ["a Redis that is loading", new ReplyError("LOADING Redis is loading the dataset in memory")],
  ["such a socket as the cause", new Error("not written", { cause: refused })],
  ["such a socket among several", new AggregateError([new Error("other"), refused])],
  ["a partition that moved to another broker", protocolError("NOT_LEADER_FOR_PARTITION", true)],
  [
    "a driver that gave up with such an error",
    Object.assign(new KafkaJSNonRetriableError("gave up"), { cause: refused }),
  ],
])("%s is a store that is away", (_name, error) => {
  expect(isStoreAway(error)).toBe(true);
});

test.each([
  ["a mistake of ours", new TypeError("x is not a function")],
  ["a request that Kafka will never take", protocolError("INVALID_REQUEST", false)],
  ["a command that Redis does not know", new ReplyError("ERR unknown command 'HELO'")],
  ["a text", "ECONNREFUSED"],
])("%s is none", (_name, error) => {
  expect(isStoreAway(error)).toBe(false);
});

function protocolError(type: string, retriable: boolean): Error {
  const error = { message: type, type, code: 6, retriable, name: "KafkaJSProtocolError" };
  return new KafkaJSProtocolError(error as never);
}
