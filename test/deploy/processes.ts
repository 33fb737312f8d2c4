// The processes that a deployment starts, and the configuration that each reads.
import { randomBytes } from "node:crypto";
import type { z } from "zod";
import { apiEnv } from "../../services/api/config.ts";
import { provisionEnv } from "../../services/cli/provision/config.ts";
import { ConfigError, loadConfig } from "../../services/common/config.ts";
import { migrateEnv, projectorEnv } from "../../services/projector/config.ts";
import { replayEnv } from "../../services/replay/config.ts";
import { stateApiEnv } from "../../services/state-api/shared/config.ts";
import { stateMachineEnv } from "../../services/state-machine/config.ts";
import { webhooksEnv } from "../../services/webhooks/config.ts";

export interface DeployedProcess {
  readonly script: string;
  readonly config: z.ZodObject;
}

/** Processes that run for ever, by the names of their Deployments and containers. */
export const roles: Readonly<Record<string, DeployedProcess>> = {
  api: { script: "services/api/main.ts", config: apiEnv },
  "state-api": { script: "services/state-api/main.ts", config: stateApiEnv },
  "state-machine": { script: "services/state-machine/main.ts", config: stateMachineEnv },
  projector: { script: "services/projector/main.ts", config: projectorEnv },
  webhooks: { script: "services/webhooks/main.ts", config: webhooksEnv },
  replay: { script: "services/replay/main.ts", config: replayEnv },
};

/** Processes that prepare the stores and end. */
export const jobs: Readonly<Record<string, DeployedProcess>> = {
  topics: { script: "services/cli/provision/main.ts", config: provisionEnv },
  migrate: { script: "services/projector/migrate.ts", config: migrateEnv },
};

const allShapes = [...Object.values(roles), ...Object.values(jobs)].map(({ config }) => config.shape);

/** Variables of Node itself. */
const OF_NODE: ReadonlySet<string> = new Set(["NODE_OPTIONS", "NODE_ENV"]);

/** Values for what a Secret holds, which no file of the repository has. */
const SECRETS: Readonly<Record<string, string>> = {
  REDIS_URL: "redis://:password@redis:6379",
  SECRETS_KEY: randomBytes(32).toString("base64"),
};

/** The environment of a container. A variable without a value here gets it from a Secret. */
export interface DeployedEnvironment {
  /** Settings that all processes get, whether they have such a variable or not. */
  readonly shared: Readonly<Record<string, string>>;
  /** Variables of this container. */
  readonly own: Readonly<Record<string, string | undefined>>;
}

const isConfigured = (name: string): boolean => allShapes.some((shape) => name in shape);

/** Returns the variable that is in a file. The paths of certificates are variables themselves. */
const withoutFile = (name: string): string => (isConfigured(name) ? name : name.replace(/_FILE$/, ""));

/** Lists the variables that the process lacks, does not know, or refuses. */
export function problemsOf({ config }: DeployedProcess, { shared, own }: DeployedEnvironment): readonly string[] {
  const isKnown = (name: string) => OF_NODE.has(name) || isConfigured(name);
  const isUsed = (name: string) => OF_NODE.has(name) || withoutFile(name) in config.shape;
  const unknown = Object.keys(shared).filter((name) => !isKnown(withoutFile(name)));
  const unused = Object.keys(own).filter((name) => !isUsed(name));
  const given = Object.entries({ ...shared, ...own }).map(([name, value]) => {
    const isSecret = value === undefined || withoutFile(name) !== name;
    // A path must lead to a file when the configuration is read, and that of the pod is not here.
    if (name.endsWith("_FILE") && !isSecret) return [name, import.meta.filename];
    return [withoutFile(name), isSecret ? (SECRETS[withoutFile(name)] ?? "a value") : value];
  });
  // Keys that were replaced are usually none.
  const set = Object.fromEntries(given.filter(([name]) => name !== "SECRETS_OLD_KEYS"));
  return [
    ...unknown.map((name) => `${name} is in no configuration`),
    ...unused.map((name) => `${name} is not read by this process`),
    ...refusals(config, set),
  ];
}

function refusals(config: z.ZodObject, env: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig(config, env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split("\n").slice(1);
  }
}
