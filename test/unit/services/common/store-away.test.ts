import { ReplyError } from "ioredis";
import kafkajs from "kafkajs";
import { expect, test } from "vitest";
import { NoLeader } from "../../../../services/common/kafka/offsets.ts";
import { verdictOf } from "../../../../services/common/store-away.ts";

const { KafkaJSConnectionError, KafkaJSNonRetriableError, KafkaJSNumberOfRetriesExceeded } = kafkajs;
const { KafkaJSProtocolError, KafkaJSRequestTimeoutError } = kafkajs;

const coded = (code: string, text = "no answer") => Object.assign(new Error(text), { code });
const refused = coded("ECONNREFUSED");
const timedOut = new KafkaJSRequestTimeoutError("Request Fetch timed out", {} as never);

test.each([
  ["a socket that nobody listens on", refused],
  ["an answer that is cut off", coded("ECONNRESET", "aborted")],
  ["a ClickHouse that does not answer in time", new Error("Timeout error.")],
  ["a ClickHouse with too many queries", coded("202")],
  ["a ClickHouse that stops", coded("394")],
  ["a ClickHouse that cannot resolve a name", coded("198")],
  ["a ClickHouse without a free connection", coded("203")],
  ["a ClickHouse whose socket timed out", coded("209")],
  ["a ClickHouse whose disk is full", coded("243")],
  ["a ClickHouse that has too many parts", coded("252")],
  ["a ClickHouse whose password is being replaced", coded("516")],
  ["a ClickHouse that is loading its tables", coded("696")],
  ["a ClickHouse that is overloaded", coded("745")],
  ["a history that no projector has made yet", coded("60")],
  ["a full Redis", new ReplyError("OOM command not allowed when used memory > 'maxmemory'.")],
  ["a Redis that is loading", new ReplyError("LOADING Redis is loading the dataset in memory")],
  ["a Redis that does not answer in time", new Error("Command timed out")],
  ["a Redis that closes the connection within a transaction", new Error("Command aborted due to connection close")],
  ["a Redis Cluster of which no node answers", new Error("None of startup nodes is available")],
  [
    "a Redis Cluster that does not agree who has a key",
    new Error("Too many Cluster redirections. Last error: ReplyError: MOVED 1 127.0.0.1:7000"),
  ],
  ["a Redis Cluster that lacks slots", new ReplyError("CLUSTERDOWN Hash slot not served")],
  ["such a socket as the cause", new Error("not written", { cause: refused })],
  ["such a socket among several", new AggregateError([new Error("other"), refused])],
  ["a partition that moved to another broker", protocolError("NOT_LEADER_FOR_PARTITION", true)],
  ["a partition that no broker leads", new NoLeader("log", [1])],
  ["a broker that does not answer in time", timedOut],
  ["a connection to a broker that is closed", new KafkaJSConnectionError("Closed connection")],
  ["a driver that tried often enough", retriesExceeded(timedOut)],
  [
    "a driver that gave up with such an error",
    Object.assign(new KafkaJSNonRetriableError("gave up"), { cause: refused }),
  ],
])("%s is a store that is away", (_name, error) => {
  expect(verdictOf(error)).toBe("away");
});

test.each([
  ["too much time", coded("159"), "too-heavy"],
  ["too much time by an estimate", coded("160"), "too-heavy"],
  ["an array that is too large", coded("128"), "too-heavy"],
  ["more memory than a query may have", coded("241", "Query memory limit exceeded: would use 1.06 MiB"), "too-heavy"],
  ["more memory than an older server gives", coded("241", "Memory limit (for query) exceeded"), "too-heavy"],
  ["more memory than all queries may have", coded("241", "(total) memory limit exceeded"), "full"],
])("a query that needs %s: %s", (_name, error, verdict) => {
  expect(verdictOf(error)).toBe(verdict);
  expect(verdictOf(new Error("not read", { cause: error }))).toBe(verdict);
});

test.each([
  ["a mistake of ours", new TypeError("x is not a function")],
  ["a request that Kafka will never take", protocolError("INVALID_REQUEST", false)],
  ["a command that Redis does not know", new ReplyError("ERR unknown command 'HELO'")],
  ["a query that ClickHouse cannot read", coded("62")],
  ["a text", "ECONNREFUSED"],
])("%s is none", (_name, error) => {
  expect(verdictOf(error)).toBe("mistake");
});

function protocolError(type: string, retriable: boolean): Error {
  const error = { message: type, type, code: 6, retriable, name: "KafkaJSProtocolError" };
  return new KafkaJSProtocolError(error as never);
}

function retriesExceeded(cause: Error): Error {
  return new KafkaJSNumberOfRetriesExceeded(cause, { retryCount: 8, retryTime: 1_000 });
}
