// Everything on one machine: stores, topics and tables, services, a token, and a demo scene.
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { z } from "zod";
import { HOUR_MS } from "../../schemas/units.ts";
import type { Part } from "../common/lifecycle.ts";
import { bringUp } from "./bring-up.ts";
import { runCommand } from "./commands.ts";
import type { LauncherConfig } from "./config.ts";
import type { DevToken } from "./dev-token.ts";
import { demoSettings, superviseLiveDemo } from "./live-demo.ts";
import { partNames } from "./protocol.ts";
import { ensureSecretsKey, secretsKeyFile } from "./secrets-key.ts";
import type { Env, Services } from "./services.ts";
import { type Stores, startStores } from "./stores.ts";
import { EmbeddedError } from "./tools/errors.ts";
import type { Supervised } from "./tools/supervised.ts";
import { welcome } from "./welcome.ts";

export interface LaunchOptions {
  readonly config: LauncherConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (text: string) => void;
}

/** Returns the stores, then the services on them. The parts throw EmbeddedError, whose message says how to mend it. */
export function createLauncher({ config, env, print }: LaunchOptions): readonly Part[] {
  const dataDir = resolve(config.TRACKLOG_DATA_DIR);
  const url = urlOf(config);
  const restUrl = restUrlOf(config);
  const hasKey = Boolean(env["SECRETS_KEY"] || env["SECRETS_KEY_FILE"]);
  const withKey = hasKey ? env : { ...env, SECRETS_KEY_FILE: secretsKeyFile(dataDir) };
  const storesFailed = Promise.withResolvers<never>();
  storesFailed.promise.catch(() => {});
  let stores: Stores | undefined;
  let services: Services | undefined;
  let liveDemo: Supervised | undefined;

  return [
    {
      name: "stores",
      failed: storesFailed.promise,
      start: async () => {
        await requireFree(config.API_HOST, config.API_PORT, "API_PORT");
        await requireFree(config.STATE_API_HOST, config.STATE_API_PORT, "STATE_API_PORT");
        stores = await startStores({ dataDir, env: withKey, onProgress: print });
        stores.failed.catch(storesFailed.reject);
      },
      stop: async () => stores?.stop(),
    },
    {
      name: "services",
      start: async () => {
        await ensureSecretsKey(dataDir);
        const settings = settingsOf(config, withKey, stores?.env ?? {});
        const { token, apiOpsUrl } = await bringUp({
          dataDir,
          settings,
          print,
          logDir: join(dataDir, "logs"),
          areStoresOwn: stores?.started.length === partNames.length,
          admits: (kept) => isAdmitted(url, kept),
          onServices: (started) => {
            services = started;
          },
        });
        if (config.DEMO) {
          const demo = { ...settings, ...demoSettings({ dataDir, url, token, apiOpsUrl }) };
          print("Playing a scene");
          await runCommand("cli/demo/main", demo);
          liveDemo = config.DEMO_LIVE ? superviseLiveDemo(demo, join(dataDir, "logs")) : undefined;
          await liveDemo?.start();
        }
        const zoneId = await anyZone(url, token);
        const { TRACKLOG_DATA_DIR } = config;
        print(welcome({ url, restUrl, token, zoneId, dataDir: TRACKLOG_DATA_DIR, since: Date.now() - HOUR_MS }));
      },
      stop: async () => {
        await liveDemo?.stop();
        await services?.stop();
      },
    },
  ];
}

const originOf = ({ API_HOST, API_PORT }: LauncherConfig): string => `http://${API_HOST}:${API_PORT}`;
const urlOf = (config: LauncherConfig): string => `${originOf(config)}/graphql`;
const restUrlOf = ({ STATE_API_HOST, STATE_API_PORT }: LauncherConfig) => `http://${STATE_API_HOST}:${STATE_API_PORT}`;

function settingsOf(config: LauncherConfig, env: LaunchOptions["env"], stores: Env): Env {
  const given = Object.fromEntries(Object.entries(env).flatMap(([key, value]) => (value ? [[key, value]] : [])));
  const { API_HOST, API_PORT, STATE_API_HOST, STATE_API_PORT } = config;
  const MEDIA_DIR = join(resolve(config.TRACKLOG_DATA_DIR), "media");
  // Node keeps compiled modules in this folder: a service starts in half the time.
  const NODE_COMPILE_CACHE = join(resolve(config.TRACKLOG_DATA_DIR), "compiled");
  return {
    API_CONSOLE: "true",
    API_CONSOLE_REST_URL: restUrlOf(config),
    STATE_API_ORIGINS: originOf(config),
    API_GRAPHIQL: "true",
    MEDIA_DIR,
    NODE_COMPILE_CACHE,
    STATE_API_GRAPHQL_URL: urlOf(config),
    WEBHOOKS_GRAPHQL_URL: urlOf(config),
    ...given,
    ...stores,
    API_HOST,
    API_PORT: String(API_PORT),
    STATE_API_HOST,
    STATE_API_PORT: String(STATE_API_PORT),
  };
}

const zonesAnswer = z.object({
  data: z.object({ zones: z.object({ edges: z.array(z.object({ node: z.object({ id: z.string() }) })) }) }),
});

async function askZones(url: string, token: DevToken) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "x-token-id": token.id, "x-token-value": token.value },
    body: JSON.stringify({ query: "{ zones(first: 1) { edges { node { id } } } }" }),
  });
  return zonesAnswer.safeParse(await response.json());
}

const isAdmitted = async (url: string, token: DevToken): Promise<boolean> => (await askZones(url, token)).success;

/**
 * Finds a zone for an example.
 * @returns undefined when there is none yet.
 */
const anyZone = async (url: string, token: DevToken): Promise<string | undefined> =>
  (await askZones(url, token)).data?.data.zones.edges[0]?.node.id;

async function requireFree(host: string, port: number, variable: string): Promise<void> {
  const { promise, resolve: free, reject } = Promise.withResolvers<void>();
  const server = createServer();
  server.once("error", (cause) => {
    const advice = `stop what listens there, or set ${variable} to another one`;
    reject(new EmbeddedError(`Port ${port} of ${host} cannot be used: ${advice}.`, { cause }));
  });
  server.listen({ host, port }, () => server.close(() => free()));
  await promise;
}
