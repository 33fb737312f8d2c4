import { parse } from "graphql";
import { expect, test } from "vitest";
import { createCatalog } from "../../../../../projections/catalog/catalog.ts";
import { createHeartbeats } from "../../../../../projections/catalog/heartbeats.ts";
import { createZonesView } from "../../../../../projections/catalog/zones-view.ts";
import { notFound } from "../../../../../schemas/errors.ts";
import type { CreateDetectionInput } from "../../../../../schemas/graphql/inputs.ts";
import { queries } from "../../../../../services/api/fields/queries/index.ts";
import { types } from "../../../../../services/api/fields/types/index.ts";
import type { ApiContext } from "../../../../../services/api/graphql/context.ts";
import { createContextFactory } from "../../../../../services/api/graphql/create-context.ts";
import { createExecute, toJson } from "../../../../../services/api/graphql/execute.ts";
import { type Operation, readOperation } from "../../../../../services/api/graphql/operation.ts";
import { createPlainIngests } from "../../../../../services/api/graphql/plain-ingest.ts";
import { createMutationSchema, createSchema } from "../../../../../services/api/graphql/schema.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { noWriter } from "../../../../support/scenes/catalog.ts";
import { detectionInputs, usual } from "../../../../support/scenes/detection-inputs.ts";
import { noFrames, noMedia } from "../../../../support/scenes/media.ts";
import { noTokenLimits, wideSlots } from "../../../../support/scenes/no-limits.ts";
import { noSystem } from "../../../../support/scenes/no-system.ts";

const log = createLog("test", "silent");

/** Answers like the real resolvers, without a log; track `missing` does not exist. */
function record(inputs: readonly CreateDetectionInput[], context: ApiContext) {
  const made = inputs.map((input, i) => {
    if (input.trackId === "missing") throw notFound("track", input.trackId, ["detections", i, "trackId"]);
    return { dataSourceId: "d", recordedAt: 0, metadata: null, direction: null, position: null, ...input };
  });
  context.positions.push({ topic: "camera-log", partition: 1, offset: inputs.length });
  return made;
}

const resolvers = {
  Query: queries,
  ...types,
  Mutation: {
    createDetection: async (_root: unknown, args: { detection: CreateDetectionInput }, context: ApiContext) =>
      record([args.detection], context)[0],
    createDetections: async (
      _root: unknown,
      args: { detections: readonly CreateDetectionInput[] },
      context: ApiContext,
    ) => record(args.detections, context),
  },
};
const schema = createSchema(resolvers);
const mutationSchema = createMutationSchema(schema, resolvers);
const limits = {
  ...{ maxBytes: 100_000, maxTokens: 1_000, maxDepth: 10, maxAliases: 10, maxRootFields: 10, maxFields: 100 },
};

const notAsked = () => Promise.reject(new Error("not asked"));

const createContext = createContextFactory({
  ...{ locate: () => null, heartbeats: createHeartbeats(), noteTraffic: () => {} },
  ...{ catalog: createCatalog(), zones: createZonesView(), slots: wideSlots, log, writer: noWriter },
  ...{ media: noMedia, frames: noFrames, maxFirst: 10, filterLimits: { maxValues: 10, maxBranches: 10 } },
  ...{ maxBuckets: 10, maxCost: 1_000, maxAnswerBytes: 400, maxZoneVertices: 100 },
  zonesAt: notAsked,
  history: { client: { query: notAsked, exec: notAsked }, dataSourceIds: () => [] },
  gate: { history: async () => {}, intersections: async () => {}, zones: async () => {}, catalog: async () => {} },
  trials: { run: notAsked },
  system: noSystem,
});

const select = () => {
  throw new Error("no subscription");
};
const create = () => createExecute({ schema, mutationSchema, limits, select, tokenLimits: noTokenLimits, log });

type Execute = Awaited<ReturnType<typeof create>>;

async function answer(execute: Execute, body: object, scopes: readonly ("read" | "write")[] = ["read", "write"]) {
  return answerTo(execute, () => readOperation(body, false), scopes);
}

/** The body is read like that of a POST. */
const answerToBytes = (execute: Execute, body: object) =>
  answerTo(execute, () => execute.readBody(Buffer.from(JSON.stringify(body))) ?? readOperation(body, false));

async function answerTo(
  execute: Execute,
  read: () => Operation,
  scopes: readonly ("read" | "write")[] = ["read", "write"],
) {
  const context = createContext({ tokenId: "", name: "test", scopes });
  try {
    const outcome = await execute(read(), context);
    if (outcome.type !== "answer") throw new Error("no answer");
    return toJson(outcome, context.positions);
  } catch (error) {
    return String(error);
  }
}

const MANY =
  "mutation Ingest($detections: [CreateDetectionInput!]!) { createDetections(detections: $detections) { id timestamp } }";
const ONE = "mutation ($detection: CreateDetectionInput!) { createDetection(detection: $detection) { id } }";

const plain = [
  ...[...detectionInputs, { ...usual, trackId: "missing" }].flatMap((input) => [
    { query: MANY, variables: { detections: [usual, input] } },
    { query: ONE, variables: { detection: input } },
  ]),
  { query: MANY, variables: { detections: [] } },
  { query: MANY, variables: { detections: usual } },
  { query: MANY, variables: { detections: [null] } },
  { query: MANY, variables: { other: [usual] } },
  { query: MANY, variables: { detections: [usual], other: 5 } },
  { query: MANY, variables: { detections: Array.from({ length: 20 }, () => usual) } },
  { query: MANY, operationName: "Ingest", variables: { detections: [usual] } },
  { query: MANY, operationName: "Other", variables: { detections: [usual] } },
  { query: MANY },
].map((body) => ({ body, text: JSON.stringify(body).slice(0, 150) }));

test.each(plain)("$text is answered as graphql-js answers it", async ({ body }) => {
  const known = await create();
  const usualOf = body.query === MANY ? { detections: [usual] } : { detection: usual };
  await answer(known, { query: body.query, variables: usualOf });

  const expected = await answer(await create(), body);
  expect(await answer(known, body)).toBe(expected);
  expect(await answerToBytes(known, body)).toBe(expected);
});

test("the usual inputs of a plain document do not go through graphql-js", async () => {
  for (const query of [MANY, ONE]) {
    const found = await learnt(query);
    const variables = query === MANY ? { detections: [usual] } : { detection: usual };
    expect(found({ source: query, variables, operationName: undefined })).toBeDefined();
  }
});

const others = [
  "mutation ($detections: [CreateDetectionInput!]!) { createDetections(detections: $detections) { id tag } }",
  "mutation ($detections: [CreateDetectionInput!]!) { a: createDetections(detections: $detections) { id } }",
  "mutation ($detections: [CreateDetectionInput!]!) { createDetections(detections: $detections) { a: id } }",
  "mutation ($detections: [CreateDetectionInput!]!) { createDetections(detections: $detections) { ... { id } } }",
  "mutation ($detections: [CreateDetectionInput!]!) { createDetections(detections: $detections) { id @skip(if: true) } }",
  "mutation ($detections: [CreateDetectionInput!]! = []) { createDetections(detections: $detections) { id } }",
  "mutation ($detections: CreateDetectionInput!) { createDetections(detections: [$detections]) { id } }",
  "mutation ($detections: [CreateDetectionInput!]!) { ...F } fragment F on Mutation { createDetections(detections: $detections) { id } }",
  'mutation { createDetections(detections: [{ trackId: "t", timestamp: "2026-01-01T00:00:00Z" }]) { id } }',
];

test.each(others)("%s always goes through graphql-js", async (query) => {
  const find = await learnt(query);
  expect(find({ source: query, variables: { detections: [usual] }, operationName: undefined })).toBeUndefined();
});

test("a plain document that gave way to others is found again when graphql-js has executed it once more", () => {
  const ingests = createPlainIngests({ schema, mutationSchema }, 1);
  const many = parse(MANY);
  const asked = { source: MANY, variables: { detections: [usual] }, operationName: undefined };
  ingests.learn(MANY, many);
  ingests.learn(ONE, parse(ONE));
  expect(ingests.find(asked)).toBeUndefined();

  ingests.learn(MANY, many);
  expect(ingests.find(asked)).toBeDefined();
});

test("a variable may have the name __proto__", async () => {
  const query = "mutation ($__proto__: [CreateDetectionInput!]!) { createDetections(detections: $__proto__) { id } }";
  const execute = await create();
  const body = { query, variables: JSON.parse(`{ "__proto__": [${JSON.stringify(usual)}] }`) };
  const first = await answer(execute, body);
  expect(first).toContain('"data":{"createDetections":[{"id"');
  expect(await answer(execute, body)).toBe(first);
});

test("a token without the scope write is refused as before", async () => {
  const execute = await create();
  const body = { query: MANY, variables: { detections: [usual] } };
  const refused = await answer(execute, body, ["read"]);
  await answer(execute, body);
  expect(await answer(execute, body, ["read"])).toBe(refused);
  expect(refused).toContain("needs a token with the scope write");
});

test("a body is read directly once its document is known, and asks for this operation of it", async () => {
  const body = (query: string, more: object = {}) =>
    Buffer.from(JSON.stringify({ query, variables: { detections: [usual] }, ...more }));
  const ingests = createPlainIngests({ schema, mutationSchema }, 10);
  expect(ingests.read(body(MANY))).toBeUndefined();

  ingests.learn(MANY, parse(MANY));
  expect(ingests.read(body(MANY))).toBeDefined();
  expect(ingests.read(body(MANY, { operationName: "Ingest" }))).toBeDefined();
  expect(ingests.read(body(MANY, { operationName: "Other" }))).toBeUndefined();
  expect(ingests.read(body(MANY, { variables: { detections: usual } }))).toBeUndefined();
  expect(ingests.read(body(MANY, { variables: { other: [usual] } }))).toBeUndefined();
});

async function learnt(query: string) {
  const ingests = createPlainIngests({ schema, mutationSchema }, 10);
  ingests.learn(query, parse(query));
  return ingests.find;
}
