// A Redis as an operator secures it: TLS with certificates on both sides, and users with rights.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findRedisServer } from "../../../services/embedded/parts/redis.ts";
import { killGroup } from "../../../services/embedded/tools/child.ts";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import { probeTcp } from "../../../services/embedded/tools/probe.ts";
import { type Supervised, supervise } from "../../../services/embedded/tools/supervised.ts";
import type { Authority, Certificate } from "./certificates.ts";
import { CACHE_DIR } from "./kafka-node.ts";

type Env = Readonly<Record<string, string>>;

export interface SecuredRedis {
  /** Variables of a user. The administrator, `admin`, has every right. */
  envOf(user: string): Env;
  stop(): Promise<void>;
}

const passwordOf = (user: string): string => `password-of-${user}`;
const STOP_GRACE_MS = 1_000;

export const findRedis = (): Promise<string> =>
  findRedisServer({
    cacheDir: CACHE_DIR,
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });

/** `users`: lines of the configuration, with PASSWORD in the place of each password. */
export async function startSecuredRedis(
  dir: string,
  authority: Authority,
  users: readonly string[],
): Promise<SecuredRedis> {
  const port = await freePort();
  const [server, client] = [await authority.issue("redis"), await authority.issue("client")];
  const { stop } = await startRedisServer(join(dir, "redis"), port, [
    ...encrypted(port, server, authority),
    'save ""',
    "user default off",
    `user admin on >${passwordOf("admin")} ~* &* +@all`,
    ...users.map((line) => line.replace("PASSWORD", passwordOf(line.split(" ")[1] ?? ""))),
  ]);
  return {
    envOf: (user) => ({
      REDIS_URL: `rediss://${user}:${passwordOf(user)}@localhost:${port}`,
      REDIS_CA_FILE: authority.caFile,
      REDIS_CERT_FILE: client.certFile,
      REDIS_KEY_FILE: client.keyFile,
    }),
    stop,
  };
}

/** Lines of the configuration. Clients need a certificate, too. */
export const encrypted = (port: number, { certFile, keyFile }: Certificate, { caFile }: Authority) => [
  "port 0",
  `tls-port ${port}`,
  `tls-cert-file ${certFile}`,
  `tls-key-file ${keyFile}`,
  `tls-ca-cert-file ${caFile}`,
  "tls-replication yes",
  "tls-auth-clients yes",
];

export interface RedisServer extends Supervised {
  /** @returns undefined while it does not run. */
  pid(): number | undefined;
}

/** `args` come after the name of the configuration file. Resolves with the running process. */
export async function startRedisServer(
  dir: string,
  port: number,
  configuration: readonly string[],
  args: readonly string[] = [],
): Promise<RedisServer> {
  await mkdir(dir, { recursive: true });
  const file = join(dir, "redis.conf");
  await writeFile(file, `${[`dir ${dir}`, "bind 127.0.0.1", ...configuration].join("\n")}\n`);
  let pid: number | undefined;
  const redis = supervise(
    {
      title: "Redis",
      command: { file: await findRedis(), args: [file, ...args], env: {} },
      logFile: join(dir, "redis.log"),
      probe: () => probeTcp(port, "", ""),
      stopGraceMs: STOP_GRACE_MS,
    },
    (now) => {
      pid = now ?? undefined;
    },
  );
  process.once("exit", () => killGroup(pid));
  await redis.start();
  return { ...redis, pid: () => pid };
}
