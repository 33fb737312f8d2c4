// Operators ask about the processes and stores of a real system.
import { beforeAll, expect, test } from "vitest";
import { topicName } from "../../../schemas/topics.ts";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createLog } from "../../../services/common/log.ts";
import { createGraphQLClient, type GraphQLClient } from "../../support/clients/graphql-client.ts";
import { newToken } from "../../support/running/new-token.ts";
import { PARTITIONS, shareSystem } from "../../support/running/system.ts";

const shared = shareSystem();
let operator: GraphQLClient;

beforeAll(async () => {
  operator = createGraphQLClient(shared().url, await newToken(shared(), ["admin"]));
});

interface Answer {
  readonly system: {
    readonly readers: readonly {
      readonly name: string;
      readonly processes: readonly { readonly partitions: number }[];
      readonly lags: readonly { readonly topic: string; readonly messages: number }[];
    }[];
    readonly topics: readonly { readonly name: string; readonly partitions: number; readonly written: number }[];
    readonly stores: readonly { readonly name: string; readonly answerMs: number | null }[];
    readonly deadLetters: readonly { readonly topic: string; readonly reason: string; readonly bytes: number }[];
  };
}

const ask = async (selection: string) => (await operator.ask<Answer>(`{ system { ${selection} } }`)).system;

test("readers have their processes, and lag behind what was written until they have done it", async () => {
  const { client } = shared();
  await client.ask('mutation { createDataSource(dataSource: {id: "gate", name: "Gate", type: VIDEO_DEVICE}) { id } }');
  const before = await ask("topics { name partitions written }");
  await client.ask(
    'mutation { createTrack(track: {id: "t", dataSourceId: "gate", tag: "a", startTime: "2026-01-01T00:00:00Z", detections: []}) { id } }',
  );

  const logOf = ({ topics }: Pick<Answer["system"], "topics">) => topics.find(({ name }) => name === "camera-log");
  await expect
    .poll(async () => logOf(await ask("topics { name partitions written }"))?.written)
    .toBeGreaterThan(logOf(before)?.written ?? 0);
  expect(logOf(before)?.partitions).toBe(PARTITIONS);
  await expect
    .poll(async () => {
      const { readers } = await ask("readers { name processes { partitions } lags { topic messages } }");
      return readers
        .filter(({ name }) => name === "state-machine" || name === "projector")
        .map(({ name, processes, lags }) => [name, processes.length, lags.find(({ topic }) => topic === "camera-log")]);
    })
    .toEqual([
      ["state-machine", 1, { topic: "camera-log", messages: 0 }],
      ["projector", 1, { topic: "camera-log", messages: 0 }],
    ]);
});

test("every store answers", async () => {
  const { stores } = await ask("stores { name answerMs }");

  expect(stores.map(({ name, answerMs }) => [name, answerMs !== null])).toEqual([
    ["Kafka", true],
    ["Redis", true],
    ["ClickHouse", true],
  ]);
});

test("a message that the projector cannot read is listed with its reason", async () => {
  const { env, namespace } = shared();
  const producer = createKafka("test", loadConfig(kafkaEnv, env), createLog("test", "silent")).producer();
  await producer.connect();
  await producer.send({ topic: topicName(namespace, "camera-log"), messages: [{ key: "gate", value: "no Avro" }] });
  await producer.disconnect();

  await expect
    .poll(async () => (await ask("deadLetters { topic reason bytes }")).deadLetters, { timeout: 60_000 })
    .toEqual([{ topic: "camera-log", reason: expect.stringMatching(/./), bytes: 7 }]);
});

test("a token without the scope admin is refused", async () => {
  const { errors } = await shared().client.send("{ system { version } }");

  expect(errors?.map(({ extensions }) => extensions.code)).toEqual(["FORBIDDEN"]);
});
