// The layout of the history. On one server, a table has the rows. On a cluster, each server has the rows of its shard
// in a local table, and the name of the table is that of a Distributed table above them, so inserts and queries use the
// same names in both. Only statements about tables themselves, and the system tables, differ. The reasons are in
// docs/decisions/0043.
import { type ClusterNames, onCluster } from "./cluster-statements.ts";
import { localName } from "./placement.ts";

export interface Layout {
  /**
   * Returns the statements that do on all servers what the given one does on one. They are run in this order, and may
   * be repeated.
   */
  statements(statement: string): readonly string[];
  /** Returns the name by which the system tables know a table. */
  storedName(table: string): string;
  /** The table system.parts; of a cluster, that of one server of each shard. */
  readonly parts: string;
  /** The table system.mutations; of a cluster, that of all servers. */
  readonly mutations: string;
  /** The condition on the rows of these two about this database. */
  readonly isOwn: string;
  readonly isCluster: boolean;
}

export const oneServer: Layout = {
  statements: (statement) => [statement],
  storedName: (table) => table,
  parts: "system.parts",
  mutations: "system.mutations",
  isOwn: "database = currentDatabase()",
  isCluster: false,
};

/** `cluster` is empty for one server. Both names have no characters that end a text. */
export const layoutOf = (names: ClusterNames): Layout => (names.cluster === "" ? oneServer : layoutOn(names));

const layoutOn = (names: ClusterNames): Layout => ({
  statements: (statement) => onCluster(statement, names),
  storedName: localName,
  parts: `cluster('${names.cluster}', system.parts)`,
  mutations: `clusterAllReplicas('${names.cluster}', system.mutations)`,
  // A server that is asked for its part may resolve currentDatabase() by itself.
  isOwn: `database = '${names.database}'`,
  isCluster: true,
});
