import { totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { GatewayOptions } from "../clickhouse-gateway/options.ts";
import { prepareDir } from "../tools/data-dir.ts";
import { freePort, LOOPBACK } from "../tools/free-port.ts";
import { newPassword } from "../tools/password.ts";
import { probeHttp } from "../tools/probe.ts";
import type { Prepare } from "./part.ts";

const USER = "default";
const STOP_GRACE_MS = 2_500;
/**
 * Queries that the API sends at a time. The gateway runs six at a time in the order of their arrival; the projector and
 * the mutations need some of them.
 */
const API_QUERIES = "4";
const MIN_MEMORY_BYTES = 1024 ** 3;

export const prepareClickHouse: Prepare = async (context) => {
  const dir = join(context.dataDir, "clickhouse");
  await prepareDir(dir);
  const port = await freePort();
  const options: GatewayOptions = {
    dataDir: dir,
    port,
    user: USER,
    // Anyone with this password can read the files of this account.
    password: newPassword(),
    maxMemoryBytes: Math.max(MIN_MEMORY_BYTES, Math.floor(totalmem() / 4)),
  };
  const url = `http://${LOOPBACK}:${port}`;
  return {
    env: {
      CLICKHOUSE_URL: url,
      CLICKHOUSE_USER: USER,
      CLICKHOUSE_PASSWORD: options.password,
      API_HISTORY_QUERIES: context.env["API_HISTORY_QUERIES"] ?? API_QUERIES,
    },
    spec: {
      title: "ClickHouse",
      command: {
        file: process.execPath,
        args: [fileURLToPath(new URL("../clickhouse-gateway/main.ts", import.meta.url))],
        // The engine's asynchronous calls each hold a thread of libuv's pool, and so do the KILLs that end them.
        env: { ...context.env, UV_THREADPOOL_SIZE: "16" },
        message: options,
      },
      logFile: join(context.logDir, "clickhouse.log"),
      probe: () => probeHttp(`${url}/ping`),
      stopGraceMs: STOP_GRACE_MS,
    },
  };
};
