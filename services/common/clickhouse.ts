import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from "@clickhouse/client";
import type { z } from "zod";
import { refuseForeignAnswers } from "./clickhouse-answers.ts";
import { clusterSettings, insertInTurn } from "./clickhouse-cluster.ts";
import type { clickhouseEnv } from "./config.ts";
import { agentWithFiles } from "./tls-files.ts";

export type ClickHouseConfig = z.output<typeof clickhouseEnv>;

const REQUEST_TIMEOUT_MS = 30_000;
const CONNECTIONS = 16;

/** Returns the configured database, or else the namespace's own: escaping keeps two namespaces from sharing a name. */
export function databaseOf({
  CLICKHOUSE_DATABASE: asked,
  TRACKLOG_NAMESPACE: namespace,
}: Pick<ClickHouseConfig, "CLICKHOUSE_DATABASE" | "TRACKLOG_NAMESPACE">): string {
  if (asked !== "") return asked;
  return namespace === "" ? "tracklog" : `tracklog_${namespace.replaceAll("_", "__").replaceAll("-", "_0")}`;
}

/** Creates a client with the settings that make a server and the embedded engine answer alike. */
export function createClickHouse(
  config: ClickHouseConfig,
  database = databaseOf(config),
  settings: ClickHouseSettings = {},
  connections = CONNECTIONS,
): ClickHouseClient {
  const { CLICKHOUSE_CA_FILE: ca, CLICKHOUSE_CERT_FILE: cert, CLICKHOUSE_KEY_FILE: key } = config;
  const isCluster = config.CLICKHOUSE_CLUSTER !== "";
  // The client's own options for certificates are read only once.
  const agent = agentWithFiles({ ca, cert, key }, connections);
  const client = createClient({
    ...(agent === undefined ? {} : { http_agent: agent }),
    url: config.CLICKHOUSE_URL,
    username: config.CLICKHOUSE_USER,
    password: config.CLICKHOUSE_PASSWORD,
    database,
    request_timeout: REQUEST_TIMEOUT_MS,
    max_open_connections: connections,
    // The caller that handles an error logs it; the client's own lines are not JSON.
    log: { level: ClickHouseLogLevel.OFF },
    keep_alive: { enabled: true, idle_socket_ttl: 2_000 },
    clickhouse_settings: {
      // Inserts are synchronous: after the answer a query finds the rows.
      async_insert: 0,
      // Without this a UInt64 above 2^53 loses digits in JSON.parse.
      output_format_json_quote_64bit_integers: 1,
      ...(isCluster ? clusterSettings : {}),
      ...settings,
    },
  });
  return refuseForeignAnswers(isCluster ? insertInTurn(client) : client);
}
