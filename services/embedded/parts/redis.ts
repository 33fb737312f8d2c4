import { join } from "node:path";
import { type Artifact, fetchArtifact } from "../tools/artifacts.ts";
import { prepareDir, writeSecret } from "../tools/data-dir.ts";
import { EmbeddedError } from "../tools/errors.ts";
import { freePort, LOOPBACK } from "../tools/free-port.ts";
import { newPassword } from "../tools/password.ts";
import { probeTcp } from "../tools/probe.ts";
import { runTool } from "../tools/tool.ts";
import type { PartContext, Prepare } from "./part.ts";

const BINARIES: Readonly<Record<string, string>> = {
  "linux-x64": "redis-server-6.2.6-v5-linux-amd64",
  "linux-arm64": "redis-server-6.2.7-linux-arm64",
  "darwin-x64": "redis-server-6.2.6-v5-darwin-amd64",
  "darwin-arm64": "redis-server-6.2.6-v5-darwin-arm64",
};

const STOP_GRACE_MS = 1_000;

export const prepareRedis: Prepare = async (context) => {
  const server = await findRedisServer(context);
  const dir = join(context.dataDir, "redis");
  await prepareDir(dir);
  const port = await freePort();
  const password = newPassword();
  const options = {
    port: String(port),
    bind: LOOPBACK,
    dir,
    daemonize: "no",
    // The append-only file is the record; snapshots beside it would only cost time.
    appendonly: "yes",
    appendfsync: "everysec",
    save: "",
    requirepass: password,
  };
  // Settings go through a file: every user of the machine can read the arguments of a process.
  const file = join(dir, "redis.conf");
  await writeSecret(file, configOf(options));
  return {
    env: { REDIS_URL: `redis://:${password}@${LOOPBACK}:${port}` },
    spec: {
      title: "Redis",
      command: {
        file: server,
        args: [file],
        env: context.env,
      },
      logFile: join(context.logDir, "redis.log"),
      // While Redis loads its file it answers -LOADING.
      probe: () => probeTcp(port, `AUTH ${password}\r\nPING\r\n`, "+OK\r\n+PONG"),
      stopGraceMs: STOP_GRACE_MS,
    },
  };
};

const configOf = (options: Readonly<Record<string, string>>): string =>
  Object.entries(options)
    .map(([name, value]) => `${name} "${value.replaceAll(/["\\]/g, "\\$&")}"\n`)
    .join("");

/** @internal */
export async function findRedisServer(context: Omit<PartContext, "dataDir" | "logDir" | "java">): Promise<string> {
  for (const file of ["redis-server", "valkey-server"]) {
    const { exitCode } = await runTool({ file, args: ["--version"], env: context.env, signal: context.signal });
    if (exitCode === 0) return file;
  }
  const platform = `${process.platform}-${process.arch}`;
  const binary = BINARIES[platform];
  if (binary === undefined) {
    throw new EmbeddedError(`There is no ready-made Redis for ${platform}: install redis-server, or set REDIS_URL.`);
  }
  const artifact: Artifact = {
    folder: `redis-1.4.3-${platform}`,
    title: "Redis",
    coordinates: "com.github.codemonstur:embedded-redis:1.4.3",
    how: "unpack",
    includes: binary,
  };
  return join(await fetchArtifact(artifact, context), binary);
}
