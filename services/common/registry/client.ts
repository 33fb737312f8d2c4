// The registry's client, with the credentials that the registry's URL carries.
import { SchemaRegistry } from "@kafkajs/confluent-schema-registry";

const RETRIES = 3;

/** `http://user:password@host` is basic authorization, a user alone (`http://token@host`) a bearer token. */
export function openRegistry(registryUrl: string): SchemaRegistry {
  const url = new URL(registryUrl);
  const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  url.username = "";
  url.password = "";
  const host = url.href.replace(/\/$/, "");
  const retry = { retries: RETRIES };
  if (username === "") return new SchemaRegistry({ host, retry });
  if (password !== "") return new SchemaRegistry({ host, retry, auth: { username, password } });
  return new SchemaRegistry({ host, retry, middlewares: [bearer(username)] });
}

type Middleware = NonNullable<ConstructorParameters<typeof SchemaRegistry>[0]["middlewares"]>[number];

const bearer =
  (token: string): Middleware =>
  () => ({
    prepareRequest: async (next) => (await next()).enhance({ headers: { authorization: `Bearer ${token}` } }),
  });
