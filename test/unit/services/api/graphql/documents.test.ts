import { buildSchema, type DocumentNode, parse, print } from "graphql";
import { expect, test } from "vitest";
import { createCatalog } from "../../../../../projections/catalog/catalog.ts";
import { createHeartbeats } from "../../../../../projections/catalog/heartbeats.ts";
import { createZonesView } from "../../../../../projections/catalog/zones-view.ts";
import { tracksFeed } from "../../../../../projections/feed/tracks.ts";
import { createContextFactory } from "../../../../../services/api/graphql/create-context.ts";
import { createExecute } from "../../../../../services/api/graphql/execute.ts";
import { readOperation } from "../../../../../services/api/graphql/operation.ts";
import { withoutRootArguments } from "../../../../../services/api/graphql/select.ts";
import { createLog } from "../../../../../services/common/log.ts";
import { noWriter } from "../../../../support/scenes/catalog.ts";
import { noFrames, noMedia } from "../../../../support/scenes/media.ts";
import { noTokenLimits, wideSlots } from "../../../../support/scenes/no-limits.ts";
import { noSystem } from "../../../../support/scenes/no-system.ts";

const schema = buildSchema(
  "type Query { a: Int } type Subscription { ticks(from: Int): Tick } type Tick { n(by: Int): Int } " +
    "input CreateDetectionInput { trackId: ID! }",
);
const limits = { maxBytes: 1_000, maxTokens: 50, maxDepth: 5, maxAliases: 5, maxRootFields: 1, maxFields: 50 };
const log = createLog("test", "silent");
const wide = { ...limits, maxBytes: 1_048_576, maxTokens: 50_000 };
const notAsked = () => Promise.reject(new Error("not asked"));

const context = createContextFactory({
  locate: () => null,
  heartbeats: createHeartbeats(),
  noteTraffic: () => {},
  catalog: createCatalog(),
  zones: createZonesView(),
  zonesAt: notAsked,
  history: { client: { query: notAsked, exec: notAsked }, dataSourceIds: () => [] },
  gate: { history: async () => {}, intersections: async () => {}, zones: async () => {}, catalog: async () => {} },
  slots: wideSlots,
  trials: { run: notAsked },
  system: noSystem,
  log,
  writer: noWriter,
  media: noMedia,
  frames: noFrames,
  maxFirst: 10,
  filterLimits: { maxValues: 10, maxBranches: 10 },
  maxBuckets: 10,
  maxCost: 1_000,
  maxAnswerBytes: 1_000_000,
  maxZoneVertices: 100,
})({ tokenId: "", name: "test", scopes: ["read"] });

/** Executes documents; for a subscription it returns the parsed document. */
async function createReader(documentLimits = limits) {
  const read: DocumentNode[] = [];
  const select = (document: DocumentNode) => {
    read.push(document);
    return { key: "", asked: { kind: tracksFeed, filter: null }, filterKey: "", render: () => "" };
  };
  const execute = await createExecute({
    ...{ schema, mutationSchema: schema, limits: documentLimits, select, tokenLimits: noTokenLimits, log },
  });
  const run = (query: string) => execute(readOperation({ query }, false), context);
  return { run, read };
}

const compact = (text: string) => text.replace(/\s+/g, " ").trim();

test("arguments of the root field and what only they use are not executed", () => {
  const source = `
    query Other { a }
    subscription S($from: Int, $by: Int) { ...F }
    fragment F on Subscription { t: ticks(from: $from) { n(by: $by) } }`;

  expect(compact(print(withoutRootArguments(parse(source), "S", {})))).toBe(
    "subscription S($by: Int) { ...F } fragment F on Subscription { t: ticks { n(by: $by) } }",
  );
});

test("a document is validated once, by the rules of GraphQL and by the limits", async () => {
  const { run, read } = await createReader();

  for (let i = 0; i < 2; i++) expect((await run("subscription { ticks { n } }")).type).toBe("subscription");
  expect(read[1]).toBe(read[0]);
  for (const bad of ["subscription {", "subscription { nothing }", "subscription { ticks { n } b: ticks { n } }"]) {
    expect(await run(bad)).toMatchObject({ executed: false, errors: [{ extensions: { code: "BAD_USER_INPUT" } }] });
  }
});

test("a document of too many tokens or bytes is refused before it is validated", async () => {
  const { run } = await createReader();

  expect(await run(`subscription { ${"ticks ".repeat(60)} }`)).toMatchObject({
    executed: false,
    errors: [{ message: expect.stringContaining("50 tokens") }],
  });
  await expect(run(`subscription { ticks { n } } #${"x".repeat(1_000)}`)).rejects.toThrow("1000 bytes");
});

test("a document nested too deeply to be parsed or measured is refused", async () => {
  const { run } = await createReader(wide);
  const chain = Array.from({ length: 5_500 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} }`);

  for (const deep of [`subscription { ticks ${"{ a ".repeat(20_000)} }`, `{ ...F0 } ${chain.join(" ")}`]) {
    await expect(run(deep)).rejects.toThrow("nested too deeply");
  }
});

test("of thousands of mistakes the first ones are told", async () => {
  const { run } = await createReader(wide);
  const operations = Array.from({ length: 3_000 }, (_, i) => `query Q${i} { ${"a ".repeat(11)} }`);
  const variables = Array.from({ length: 3_000 }, (_, i) => `$v${i}: Int`);

  for (const bad of [operations.join(" "), `query (${variables.join(" ")}) { a }`]) {
    const found = await run(bad);
    const reported = found.type === "answer" ? (found.errors?.length ?? 0) : 0;
    expect(reported).toBeGreaterThan(0);
    expect(reported).toBeLessThanOrEqual(21);
  }
});
