// The whole interface without its stores: enough for what is answered before a store is asked.
import type { Codec } from "../../../../schemas/codec.ts";
import { loadConfig } from "../../../../services/common/config.ts";
import { createLog } from "../../../../services/common/log.ts";
import type { HttpServer } from "../../../../services/common/process/http-app.ts";
import { assembleStateApi } from "../../../../services/state-api/assemble.ts";
import { stateApiEnv } from "../../../../services/state-api/shared/config.ts";

const unused = () => {
  throw new Error("not used here");
};
const codec: Codec = { encode: unused, decode: unused, loadSchemas: unused };

/** Nothing is started. */
export function serveUnstarted(settings: Readonly<Record<string, string>> = {}) {
  const config = loadConfig(stateApiEnv, {
    KAFKA_BROKERS: "127.0.0.1:1",
    SCHEMA_REGISTRY_URL: "http://127.0.0.1:1",
    REDIS_URL: "redis://127.0.0.1:1",
    CLICKHOUSE_URL: "http://127.0.0.1:1",
    SECRETS_KEY: Buffer.alloc(32, 1).toString("base64"),
    ...settings,
  });
  const parts = assembleStateApi({ config, codec, log: createLog("test", "silent") });
  const server = parts.find((part): part is HttpServer => "app" in part);
  if (server === undefined) throw new Error("no server");
  return server.app;
}
