// The questions about two million activities, through the queries of the API.
import { createClient } from "@clickhouse/client";
import { chronicleQueries } from "../../../projections/history/chronicles/pages.ts";
import { chroniclesReferringTo } from "../../../projections/history/chronicles/referrers.ts";
import type { History } from "../../../projections/history/queries/records.ts";
import type { Sort } from "../../../schemas/filters.ts";
import { clickhouseEnv, loadConfig } from "../../../services/common/config.ts";
import { migrateDatabase } from "../../../services/projector/migrate-database.ts";
import { parameter } from "../config.ts";
import { type Comparison, median } from "../measure.ts";
import type { BenchStack } from "../stack.ts";
import { EVERY_MS, fillActivities, START_MS } from "./fill.ts";

const ROUNDS = 5;
const PATIENCE_MS = 600_000;
const { page, count, byIds } = chronicleQueries.activityChronicle;

const by = (field: string, direction: Sort<string>["direction"] = "ASC") => [{ field, direction }];
const hours = (from: number, length: number) => [START_MS + from * 3_600_000, START_MS + (from + length) * 3_600_000];

/** `round`: other values each time. */
type Ask = (history: History, round: number) => Promise<unknown>;

const pageOf =
  (filter: (round: number) => object, sort = by("START_TIME"), first = 100): Ask =>
  (history, round) =>
    page(history, { filter: filter(round), sort, first });

const questionsOf = (activities: number): Readonly<Record<string, Ask>> => ({
  "page of all by start": pageOf(() => ({})),
  "page of all, newest first": pageOf(() => ({}), by("START_TIME", "DESC")),
  "page of an hour": pageOf((round) => ({ startTime: { between: hours(100 + round, 1) } })),
  "page of what touches an hour": pageOf((round) => {
    const [start, end] = hours(100 + round, 1);
    return { timeRange: { intersecting: { start, end } } };
  }),
  "page of a producer": pageOf((round) => ({ chronicleProducerId: { eq: `producer-${round}` } })),
  "page of a data source": pageOf((round) => ({ dataSourceIds: { in: [`source-${round}`] } })),
  "page of a site and status": pageOf((round) => ({ siteIds: { in: [`site-${50 * round}`] }, status: { eq: "open" } })),
  "page of open ones": pageOf(() => ({ endTime: { attributeExists: false } })),
  "page by a text in the description": pageOf((round) => ({ description: { like: `happened ${1_000_000 + round}` } })),
  "page by name": pageOf(() => ({}), by("NAME")),
  "page by end": pageOf(() => ({}), by("END_TIME", "DESC")),
  "count of all": (history) => count(history, {}),
  "count of a site": (history, round) => count(history, { siteIds: { in: [`site-${round}`] } }),
  "100 by their ids": async (history, round) => {
    const from = START_MS + ((round * activities) / 10) * EVERY_MS;
    const { edges } = await page(history, {
      filter: { startTime: { between: [from, from + 100_000] } },
      sort: by("ID"),
      first: 100,
    });
    return byIds(
      history.client,
      edges.map(({ node }) => node.id),
    );
  },
  "who refers to a site": ({ client }, round) => chroniclesReferringTo(client, "site", `site-${round}`),
  "who refers to a site of nobody": ({ client }) => chroniclesReferringTo(client, "site", "none"),
});

export async function benchChronicles(stack: Pick<BenchStack, "env">): Promise<Comparison[]> {
  const activities = parameter("BENCH_CHRONICLES", 2_000_000);
  const database = `bench_chronicles_${Date.now()}`;
  const config = loadConfig(clickhouseEnv, { ...stack.env, CLICKHOUSE_DATABASE: database });
  await migrateDatabase(config, database);
  const client = createClient({
    url: config.CLICKHOUSE_URL,
    username: config.CLICKHOUSE_USER,
    password: config.CLICKHOUSE_PASSWORD,
    database,
    request_timeout: PATIENCE_MS,
  });
  try {
    await fillActivities(client, activities);
    const history = { client, dataSourceIds: () => [] };
    const results: Comparison[] = [];
    for (const [name, ask] of Object.entries(questionsOf(activities))) results.push(await timed(name, ask, history));
    return results;
  } finally {
    await client.command({ query: `DROP DATABASE IF EXISTS ${database}` });
    await client.close();
  }
}

async function timed(name: string, ask: Ask, history: History): Promise<Comparison> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const startedAt = performance.now();
    await ask(history, round);
    times.push(performance.now() - startedAt);
  }
  const ours = median(times.slice(1));
  process.stderr.write(`  ${name}: ${ours.toFixed(1)} ms\n`);
  return { name: `chronicles, ${name}`, unit: "ms", ours, goal: "< 1 000 ms", baseline: Number.NaN, ratio: Number.NaN };
}
