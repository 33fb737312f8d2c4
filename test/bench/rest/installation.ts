// `npm start` on a data directory of its own, measured from outside.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, LOOPBACK } from "../../../services/embedded/tools/free-port.ts";
import { createGraphQLClient, type GraphQLClient } from "../../support/clients/graphql-client.ts";
import { until } from "../../support/running/processes.ts";

export interface Installation {
  readonly pid: number;
  readonly client: GraphQLClient;
  readonly restUrl: string;
  readonly token: { readonly id: string; readonly value: string };
  /** Seconds from the command until a query was answered. */
  readonly firstAnswerS: number;
  /** Seconds from the command until its welcome. */
  readonly startedS: number;
  stop(): Promise<void>;
}

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PATIENTLY = { timeoutMs: 180_000 };

export async function startInstallation(dataDir: string): Promise<Installation> {
  const [port, restPort] = [await freePort(), await freePort()];
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["services/embedded/main.ts"], {
    cwd: ROOT,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      JAVA_HOME: process.env["JAVA_HOME"],
      DEMO: "false",
      TRACKLOG_DATA_DIR: dataDir,
      API_PORT: String(port),
      STATE_API_PORT: String(restPort),
      ALLOWED_URL_CIDRS: "127.0.0.0/8",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const started = welcome(child).then(() => (performance.now() - startedAt) / 1_000);
  const token = await tokenIn(dataDir);
  const client = createGraphQLClient(`http://${LOOPBACK}:${port}/graphql`, token);
  await until(() => client.ask("{ zones(first: 1) { totalCount } }"), PATIENTLY);
  const firstAnswerS = (performance.now() - startedAt) / 1_000;
  return {
    ...{ pid: child.pid ?? 0, client, token, restUrl: `http://${LOOPBACK}:${restPort}` },
    firstAnswerS,
    startedS: await started,
    async stop() {
      child.kill("SIGINT");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

/** Rejects when the launcher ends first. */
async function welcome(child: ChildProcess): Promise<void> {
  let text = "";
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once("exit", () => reject(new Error(`the launcher has ended: ${text}`)));
  child.stdout?.on("data", (chunk) => {
    text += String(chunk);
    if (text.includes("tracklog is running")) resolve();
  });
  await promise;
}

/** At the first start the launcher makes the token. */
async function tokenIn(dataDir: string): Promise<Installation["token"]> {
  let text = "";
  await until(async () => {
    text = await readFile(join(dataDir, "dev-token.json"), "utf8").catch(() => "");
    return text !== "";
  }, PATIENTLY);
  return JSON.parse(text);
}
