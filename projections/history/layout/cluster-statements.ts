// The forms that the statements of migrations and of upkeep have on a cluster.
import { localName, shardOf, withLocalNames } from "./placement.ts";

export interface ClusterNames {
  readonly cluster: string;
  readonly database: string;
}

type Form = (statement: string, names: ClusterNames, match: RegExpExecArray) => readonly string[];

/** Each kind of statement, by its beginning. Only comments may be before it. */
const FORMS: readonly (readonly [RegExp, Form])[] = [
  [/^CREATE DATABASE IF NOT EXISTS \S+$/, (statement, { cluster }) => [`${statement} ON CLUSTER '${cluster}'`]],
  [/^CREATE TABLE IF NOT EXISTS (\w+)/m, createTable],
  [/^CREATE VIEW IF NOT EXISTS (\w+)/m, createView],
  // Queries do not see the projections of a table: only the shards have them.
  [/^ALTER TABLE (\w+)(?=\s+(?:ADD|MATERIALIZE) PROJECTION\b)/m, onShards],
  [/^ALTER TABLE (\w+)(?=\s+DROP PARTITION\b)/m, onShards],
  [/^ALTER TABLE (\w+)(?=\s+ADD COLUMN\b)/m, onShardsAndAbove],
  [/^DELETE FROM (\w+)/m, onShards],
  // Rows are inserted through the Distributed table, which finds their shards.
  [/^INSERT INTO /m, (statement) => [statement]],
];

/** Throws for a statement of a kind that has no form. */
export function onCluster(statement: string, names: ClusterNames): readonly string[] {
  const bare = statement.trim();
  for (const [pattern, form] of FORMS) {
    const match = pattern.exec(withoutLeadingComments(bare));
    if (match !== null && match.index === 0) return form(bare, names, match);
  }
  throw new Error(`a statement has no form on a cluster (projections/history/layout): ${bare.slice(0, 80)}`);
}

const withoutLeadingComments = (statement: string): string => statement.replace(/^(?:--[^\n]*\n\s*)*/, "");

/** Each server has a replica of its shard's part. `{shard}` and `{replica}` are macros of the server. */
const REPLICA = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'";
const ENGINE = /\bENGINE = (\w*MergeTree)\b(?:\(([^)]*)\))?/;

function createTable(statement: string, names: ClusterNames, [head, table = ""]: RegExpExecArray): readonly string[] {
  const local = statement
    .replace(head, `CREATE TABLE IF NOT EXISTS ${localName(table)} ON CLUSTER '${names.cluster}'`)
    .replace(ENGINE, (_all, engine: string, version: string | undefined) => {
      return `ENGINE = Replicated${engine}(${[REPLICA, ...(version === undefined ? [] : [version])].join(", ")})`;
    })
    .replace("non_replicated_deduplication_window", "replicated_deduplication_window");
  return [local, distributed(table, names, `, ${shardOf(table)}`)];
}

/** The view of a shard folds the rows of the shard: a Distributed table over it gives the rows of all. */
function createView(statement: string, names: ClusterNames, [head, view = ""]: RegExpExecArray): readonly string[] {
  const local = withLocalNames(statement).replace(
    withLocalNames(head),
    (start) => `${start} ON CLUSTER '${names.cluster}'`,
  );
  return [local, distributed(view, names, "")];
}

const distributed = (name: string, { cluster, database }: ClusterNames, shard: string): string =>
  `CREATE TABLE IF NOT EXISTS ${name} ON CLUSTER '${cluster}' AS ${localName(name)}
    ENGINE = Distributed('${cluster}', '${database}', '${localName(name)}'${shard})`;

/** The head ends with the name of the table. */
function onShards(statement: string, { cluster }: ClusterNames, [head]: RegExpExecArray): readonly string[] {
  const local = withLocalNames(head);
  return [withLocalNames(statement).replace(local, `${local} ON CLUSTER '${cluster}'`)];
}

function onShardsAndAbove(statement: string, names: ClusterNames, match: RegExpExecArray): readonly string[] {
  const [head] = match;
  return [...onShards(statement, names, match), statement.replace(head, `${head} ON CLUSTER '${names.cluster}'`)];
}
