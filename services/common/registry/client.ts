// Client of the registry, with the credentials in the registry's URL.
import type { Agent } from "node:https";
import { SchemaRegistry } from "@kafkajs/confluent-schema-registry";
import type { z } from "zod";
import type { registryEnv } from "../config.ts";
import { agentWithFiles } from "../tls-files.ts";
import { RegistryUnavailable } from "./registry-unavailable.ts";

export type RegistryConfig = z.output<typeof registryEnv>;

const RETRIES = 3;
const CONNECTIONS = 16;
/**
 * Milliseconds after which a silent registry counts as unavailable. The client itself would wait for ever, and a
 * registry with many clients at once takes seconds.
 */
const REQUEST_TIMEOUT_MS = 30_000;

export interface Authorization {
  /** Address without credentials, and without a slash at its end. */
  readonly host: string;
  readonly headers: Record<string, string>;
}

/** `http://user:password@host` is basic authorization, a user alone (`http://token@host`) a bearer token. */
export function authorizationOf(registryUrl: string): Authorization {
  const url = new URL(registryUrl);
  const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  url.username = "";
  url.password = "";
  const host = url.href.replace(/\/$/, "");
  if (username === "") return { host, headers: {} };
  if (password === "") return { host, headers: { authorization: `Bearer ${username}` } };
  const basic = Buffer.from(`${username}:${password}`).toString("base64");
  return { host, headers: { authorization: `Basic ${basic}` } };
}

export function openRegistry(config: RegistryConfig): SchemaRegistry {
  const { host, headers } = authorizationOf(config.SCHEMA_REGISTRY_URL);
  const agent = registryAgent(config);
  const trust = agent === undefined ? {} : { agent };
  return new SchemaRegistry({ host, ...trust, retry: { retries: RETRIES }, middlewares: [bounded(headers)] });
}

/** @returns undefined when no file is given. */
export const registryAgent = ({ SCHEMA_REGISTRY_CA_FILE: ca }: RegistryConfig): Agent | undefined =>
  agentWithFiles({ ca, cert: "", key: "" }, CONNECTIONS);

type Middleware = NonNullable<ConstructorParameters<typeof SchemaRegistry>[0]["middlewares"]>[number];

const bounded =
  (headers: Record<string, string>): Middleware =>
  () => ({
    prepareRequest: async (next) => (await next()).enhance({ timeout: REQUEST_TIMEOUT_MS, headers }),
    async response(next) {
      const answer = await next();
      if (isRegistryResponse(answer.data())) return answer;
      throw new RegistryUnavailable(
        `the registry's address answered with ${answer.status()} and something else than JSON of a registry`,
      );
    },
  });

/**
 * Each answer of the registry has one of these members: for a schema, for a registration, for the settings of a
 * subject.
 */
const MEMBERS = ["schema", "id", "compatibilityLevel", "compatibility"];

/** A proxy in between may answer every request with a page. */
const isRegistryResponse = (answer: unknown): boolean =>
  typeof answer === "object" && answer !== null && MEMBERS.some((member) => member in answer);
