// The services as processes, as they run in production, over the real stores of the test run.
import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { vi } from "vitest";
import { provisionEnv } from "../../../services/cli/provision/config.ts";
import { provision } from "../../../services/cli/provision/provision.ts";
import { clickhouseEnv, loadConfig } from "../../../services/common/config.ts";
import { createLog } from "../../../services/common/log.ts";
import { migrateDatabase } from "../../../services/projector/migrate-database.ts";
import { useStack } from "../../support/stack.ts";

export type Headers = Readonly<Record<string, string>>;

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of a response it says itself.
  readonly body: any;
}

const pathOf = (service: string): string => fileURLToPath(import.meta.resolve(`../../../services/${service}.ts`));

/** A namespace and a database of their own, with topics, schemas and tables in place. Whoever creates it stops it. */
export async function createInstallation() {
  const { env: stack, uniqueName } = useStack();
  const name = uniqueName("api");
  const names = { TRACKLOG_NAMESPACE: name, CLICKHOUSE_DATABASE: name };
  const env = { ...stack, ...names, LOG_LEVEL: "warn", CAMERA_PARTITIONS: "3" };
  const stops: (() => Promise<void>)[] = [];
  await provision(loadConfig(provisionEnv, env), createLog("test", "silent"));
  await migrateDatabase(loadConfig(clickhouseEnv, env), name);

  function start(service: string, more: Readonly<Record<string, string>> = {}): void {
    // A fork ends by itself when the process of the tests is gone.
    const child = fork(pathOf(service), { env: { PATH: process.env["PATH"], ...env, ...more } });
    const exited = once(child, "exit");
    stops.push(async () => {
      child.kill("SIGTERM");
      await exited;
    });
  }

  async function runTokens(...args: string[]): Promise<string> {
    const command = [pathOf("api/tokens/main"), ...args];
    const { stdout } = await promisify(execFile)(process.execPath, command, { env: { ...env } });
    return stdout.trim();
  }

  async function createToken(scopes: string): Promise<Headers> {
    const { id, value } = JSON.parse(await runTokens("create", "--name", scopes, "--scopes", scopes, "--json"));
    return { "x-token-id": id, "x-token-value": value };
  }

  async function startApi(more: Readonly<Record<string, string>> = {}): Promise<string> {
    const port = await freePort();
    start("api/main", { API_HOST: "127.0.0.1", API_PORT: String(port), ...more });
    const url = `http://127.0.0.1:${port}`;
    await vi.waitFor(async () => {
      if ((await fetch(`${url}/ready`)).status !== 200) throw new Error("the API is not ready");
    }, WAIT);
    return url;
  }

  const stop = () => Promise.all(stops.map((each) => each()));
  return { start, startApi, runTokens, createToken, stop };
}

export const WAIT = { timeout: 60_000, interval: 100 };

export function createClient(url: string, headers: Headers) {
  return async (query: string, variables: object = {}, more: Headers = {}): Promise<Answer> => {
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers, ...more },
      body: JSON.stringify({ query, variables }),
    });
    return { status: response.status, body: await response.json() };
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
