// The registry's client, with the credentials that the registry's URL carries.
import { SchemaRegistry } from "@kafkajs/confluent-schema-registry";

const RETRIES = 3;
/** The client by itself would wait for an answer for ever. A registry that many ask at once takes seconds. */
const SILENCE_MS = 30_000;

/** `http://user:password@host` is basic authorization, a user alone (`http://token@host`) a bearer token. */
export function openRegistry(registryUrl: string): SchemaRegistry {
  const url = new URL(registryUrl);
  const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  url.username = "";
  url.password = "";
  const host = url.href.replace(/\/$/, "");
  const shared = { host, retry: { retries: RETRIES } };
  if (username === "") return new SchemaRegistry({ ...shared, middlewares: [bounded] });
  if (password !== "") return new SchemaRegistry({ ...shared, middlewares: [bounded], auth: { username, password } });
  return new SchemaRegistry({ ...shared, middlewares: [bounded, bearer(username)] });
}

type Middleware = NonNullable<ConstructorParameters<typeof SchemaRegistry>[0]["middlewares"]>[number];

const bounded: Middleware = () => ({
  prepareRequest: async (next) => (await next()).enhance({ timeout: SILENCE_MS }),
});

const bearer =
  (token: string): Middleware =>
  () => ({
    prepareRequest: async (next) => (await next()).enhance({ headers: { authorization: `Bearer ${token}` } }),
  });
