// The registry's client, with the credentials that the registry's URL carries.
import { SchemaRegistry } from "@kafkajs/confluent-schema-registry";

const RETRIES = 3;
/** The client by itself would wait for an answer for ever. A registry that many ask at once takes seconds. */
const SILENCE_MS = 30_000;

export interface Authorization {
  /** Without credentials, and without a slash at its end. */
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

export function openRegistry(registryUrl: string): SchemaRegistry {
  const { host, headers } = authorizationOf(registryUrl);
  return new SchemaRegistry({ host, retry: { retries: RETRIES }, middlewares: [bounded(headers)] });
}

type Middleware = NonNullable<ConstructorParameters<typeof SchemaRegistry>[0]["middlewares"]>[number];

const bounded =
  (headers: Record<string, string>): Middleware =>
  () => ({
    prepareRequest: async (next) => (await next()).enhance({ timeout: SILENCE_MS, headers }),
  });
