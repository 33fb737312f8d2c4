// Promises of the whole schema, checked over the demo's scene and that of docs/queries.md.
import { buildSchema } from "graphql";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { typeDefs } from "../../services/api/graphql/sdl.ts";
import { connect } from "../integration/feed/raw-client.ts";
import { follow, init } from "../integration/feed/subscription.ts";
import { type Field, misanswered, missubscribed, strangeCases } from "../support/clients/bad-values.ts";
import { isConnection, sortsOf, walk } from "../support/clients/walk-pages.ts";
import { leaveOut, readExamples } from "../support/oracles/cookbook.ts";
import { deepest, wrongCounts } from "../support/oracles/filter-counts.ts";
import { howMany } from "../support/random/how-many.ts";
import { shareSystem } from "../support/running/system.ts";
import { playDemo } from "../support/scenes/play-demo.ts";

const schema = buildSchema(typeDefs);
const queries: Field[] = Object.values(schema.getQueryType()?.getFields() ?? {});
const subscriptions: Field[] = Object.values(schema.getSubscriptionType()?.getFields() ?? {});
const mutations: Field[] = Object.values(schema.getMutationType()?.getFields() ?? {});

const sharedSystem = shareSystem(() => ({ API_SUBSCRIPTION_OPERATIONS: "1" }));
beforeAll(() => playDemo(sharedSystem(), "2026-01-01T12:00:00Z"));

/** Strange values of a field, evenly among all of them; STRANGE=1000000 sends all. */
const MOST = Number(process.env["STRANGE"] ?? howMany({ short: 6, full: 10 }));

function chosen<Case>(cases: readonly Case[]): Case[] {
  const step = Math.ceil(cases.length / MOST);
  return cases.filter((_, i) => i % step === 0);
}

/** The log positions of the examples' writes: a query waits for all of them. */
const positions: string[] = [];

test.for(readExamples())("docs/queries.md: $title", async ({ document, variables, answer }) => {
  const { url, token, client } = sharedSystem();
  if (answer === undefined) {
    const subscription = await follow({ url, token, query: document });
    onTestFinished(() => subscription.client.drop());
    expect(subscription.error()).toBeUndefined();
    return;
  }

  const { data, errors, extensions } = await client.send(document, variables, {
    "x-min-position": positions.join(","),
  });

  if (extensions?.position !== undefined) positions.push(extensions.position);
  expect(errors).toBeUndefined();
  expect(leaveOut(data, answer)).toEqual(answer);
});

test.for(queries.filter(isConnection))(
  "filters of $name that no object meets match none, turned round all",
  async (field) => {
    expect(await wrongCounts(sharedSystem().client, field)).toEqual({});
  },
);

test.for(queries)("$name answers strange values, or refuses them with a code", async (field) => {
  const deep = isConnection(field) ? [{ field, args: { filter: deepest(field) } }] : [];
  expect(await misanswered(sharedSystem().client, "query", [...chosen(strangeCases(field)), ...deep])).toEqual([]);
});

test.for(mutations)("$name answers strange values, or refuses them with a code", async (field) => {
  expect(await misanswered(sharedSystem().client, "mutation", chosen(strangeCases(field)))).toEqual([]);
});

test("subscriptions take strange values, or refuse them with a code", async () => {
  const { url, token } = sharedSystem();
  const connection = await connect(url);
  onTestFinished(() => connection.drop());
  connection.send(init(token));
  for (const field of subscriptions) expect(await missubscribed(connection, strangeCases(field))).toEqual([]);
});

/** Larger than every small page, and in most lists smaller than all of it. */
const LARGE = 12;
/** One of so many sorts is asked for. */
const SORTS_STEP = howMany({ short: 3, full: 1 });

test.for(queries.filter(isConnection))(
  "the pages of $name miss and repeat nothing, however large they are",
  async (field) => {
    const { client } = sharedSystem();
    for (const sort of sortsOf(field).filter((_, i) => i % SORTS_STEP === 0)) {
      const whole = await walk(client, field, sort, [LARGE], LARGE);
      const parts = await walk(client, field, sort, [1, 2, 3], LARGE);

      expect(parts).toEqual(whole);
      expect(new Set(whole.ids).size).toBe(Math.min(whole.totalCount, LARGE));
      expect(whole.hasMore).toBe(whole.totalCount > LARGE);
    }
  },
);
