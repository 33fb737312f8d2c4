import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import type { Stores } from "../../../services/embedded/stores.ts";

/** The environment without the addresses of stores that the run may have been given. */
export const machineEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(KAFKA|SCHEMA_REGISTRY|REDIS|CLICKHOUSE)_/.test(name)),
);

export const embeddedClickHouse = ({ env }: Stores) =>
  createClient({
    url: env["CLICKHOUSE_URL"] ?? "",
    username: env["CLICKHOUSE_USER"] ?? "",
    password: env["CLICKHOUSE_PASSWORD"] ?? "",
    log: { level: ClickHouseLogLevel.OFF },
  });

export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
