// The services as processes, as they run in production, over the real stores of the test run.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, vi } from "vitest";
import type { Events, EventType, Typed } from "../../../schemas/events.ts";
import { recordMessage } from "../../../schemas/record-message.ts";
import type { Publisher } from "../../../services/common/kafka/write/publisher.ts";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import { provideInstallation } from "../../support/running/installation.ts";
import { processEnv, type ServiceName, type ServiceProcess, startService } from "../../support/running/processes.ts";
import { UNHURRIED } from "../../support/running/system.ts";

export type Headers = Readonly<Record<string, string>>;

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the members of a response that it reads.
  readonly body: any;
}

const pathOf = (service: string): string => fileURLToPath(import.meta.resolve(`../../../services/${service}.ts`));

/** A separate namespace and database, with topics, schemas and tables in place. The caller stops it. */
export async function createInstallation() {
  const installation = await provideInstallation("api", { ...UNHURRIED, LOG_LEVEL: "warn", CAMERA_PARTITIONS: "3" });
  await installation.openHistory();
  const env = installation.variables;
  const started: ServiceProcess[] = [];
  const urls: string[] = [];
  let publisher: Promise<Publisher> | undefined;

  async function start(name: ServiceName, more: Readonly<Record<string, string>> = {}): Promise<void> {
    started.push(await startService(name, { ...env, ...more }));
  }

  async function runTokens(...args: string[]): Promise<string> {
    const command = [pathOf("cli/tokens/main"), ...args];
    const { stdout } = await promisify(execFile)(process.execPath, command, { env: { ...processEnv, ...env } });
    return stdout.trim();
  }

  async function createToken(scopes: string): Promise<Headers> {
    const { id, value } = JSON.parse(await runTokens("create", "--name", scopes, "--scopes", scopes, "--json"));
    const headers = { "x-token-id": id, "x-token-value": value };
    await Promise.all(urls.map((url) => vi.waitFor(() => expectKnown(url, headers), WAIT)));
    return headers;
  }

  async function startApi(more: Readonly<Record<string, string>> = {}): Promise<string> {
    const port = await freePort();
    await start("api", { API_HOST: "127.0.0.1", API_PORT: String(port), ...more });
    const url = `http://127.0.0.1:${port}`;
    urls.push(url);
    return url;
  }

  /** Writes to the log itself, as a producer does that uses no API. */
  async function publish<T extends EventType>(type: T, event: Events[T]): Promise<void> {
    publisher ??= installation.openPublisher();
    const written = { source: "test", timeMs: Date.now() };
    const typed = { type, event } as Typed;
    await (await publisher).publish([recordMessage(installation.codec, installation.namespace, typed, written)]);
  }

  async function stop(): Promise<void> {
    await Promise.all(started.map((each) => each.stop()));
    await installation.remove();
  }

  const { codec, read } = installation;
  return { env: installation.variables, codec, read, start, startApi, runTokens, createToken, publish, stop };
}

export const WAIT = { timeout: 60_000, interval: 100 };

/** An instance hears of a token a moment after it was created. */
async function expectKnown(url: string, headers: Headers): Promise<void> {
  const { body } = await createClient(url, headers)("{ __typename }");
  expect(body.errors?.[0]?.extensions?.code).not.toBe("UNAUTHENTICATED");
}

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
