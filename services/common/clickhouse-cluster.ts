// The settings and the repetitions with which a client uses tables on a cluster (CLICKHOUSE_CLUSTER). An insert is
// acknowledged when a majority of the replicas of each shard has the rows; a query reads from replicas that have all
// acknowledged rows. So rows and positions agree, whichever replica answers.
// docs/decisions/0043-clickhouse-on-a-cluster.md gives the reasons.
import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { growing, untilDone } from "./loop.ts";
import { codeOf } from "./store-away.ts";

/**
 * A server gives up a quorum, or a statement for all servers, before the client's 30 s are over. The client then
 * learns the reason.
 */
const ANSWER_WITHIN_S = 25;

export const clusterSettings: ClickHouseSettings = {
  // Otherwise a server acknowledges an insert once it is on its own disk, and no other server has it.
  distributed_foreground_insert: 1,
  insert_quorum: "auto",
  // Consistent reads follow the order of inserts, so there is one at a time in a table of a shard.
  insert_quorum_parallel: 0,
  insert_quorum_timeout: ANSWER_WITHIN_S * 1_000,
  select_sequential_consistency: "1",
  // The same replica of a shard takes inserts and answers queries while it is up. It always has what it has
  // acknowledged, so a query seldom finds a replica that must catch up. The others protect against its loss.
  load_balancing: "first_or_random",
  prefer_localhost_replica: 0,
  // Subqueries of IN are answered by each shard: what they compare lies together (projections/history/layout).
  distributed_product_mode: "local",
  // Rows of INSERT ... SELECT take the same way as those of every insert.
  parallel_distributed_insert_select: "0",
  // An answer without the rows of a shard would be wrong.
  skip_unavailable_shards: 0,
  distributed_ddl_task_timeout: String(ANSWER_WITHIN_S),
};

/**
 * UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE: another insert into the table is under way. Nothing of this one was written
 * to that shard.
 */
const BUSY = "286";
/**
 * Inserts take some 10 to 100 ms. Projectors that were refused at the same time must not come back at the same time.
 */
const pauseMs = (refusals: number): number => growing(5, 80)(refusals) * (0.5 + Math.random());
const BUSY_FOR_MS = 10_000;

/** INSERT ... SELECT is a command of the client. */
const isInsert = (query: string): boolean => /^\s*INSERT\b/i.test(query);

/**
 * Makes the client repeat inserts that were refused because another one into the same table waits for its quorum.
 * Returns the same client. The caller must be able to repeat a failed insert: a shard may have taken its rows when
 * another one refused.
 */
export function insertInTurn(client: ClickHouseClient): ClickHouseClient {
  const insert = client.insert.bind(client);
  client.insert = (params) => repeatWhileBusy(() => insert(params));
  const command = client.command.bind(client);
  client.command = (params) => (isInsert(params.query) ? repeatWhileBusy(() => command(params)) : command(params));
  return client;
}

/** On one server, no insert is refused in this way. */
export const repeatWhileBusy = <Result>(attempt: () => Promise<Result>): Promise<Result> =>
  untilDone(attempt, (failure) => codeOf(failure) === BUSY, { pauseMs, withinMs: BUSY_FOR_MS });
