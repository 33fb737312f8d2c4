import { join } from "node:path";
import { type Artifact, fetchArtifact } from "../artifacts.ts";
import { prepareDir } from "../data-dir.ts";
import { EmbeddedError } from "../errors.ts";
import { freePort, LOOPBACK } from "../free-port.ts";
import { probeTcp } from "../probe.ts";
import { runTool } from "../tool.ts";
import type { PartContext, Prepare } from "./part.ts";

const BINARIES: Readonly<Record<string, string>> = {
  "linux-x64": "redis-server-6.2.6-v5-linux-amd64",
  "linux-arm64": "redis-server-6.2.7-linux-arm64",
  "darwin-x64": "redis-server-6.2.6-v5-darwin-amd64",
  "darwin-arm64": "redis-server-6.2.6-v5-darwin-arm64",
};

const STOP_GRACE_MS = 1_000;

export const prepareRedis: Prepare = async (context) => {
  const file = await findServer(context);
  const dir = join(context.dataDir, "redis");
  await prepareDir(dir);
  const port = await freePort();
  const options = {
    port: String(port),
    bind: LOOPBACK,
    dir,
    daemonize: "no",
    // The append-only file is the record; snapshots beside it would only cost.
    appendonly: "yes",
    appendfsync: "everysec",
    save: "",
  };
  return {
    env: { REDIS_URL: `redis://${LOOPBACK}:${port}` },
    spec: {
      title: "Redis",
      command: {
        file,
        args: Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
        env: context.env,
      },
      logFile: join(context.logDir, "redis.log"),
      // While it loads its file it answers -LOADING.
      probe: () => probeTcp(port, "PING\r\n", "+PONG"),
      stopGraceMs: STOP_GRACE_MS,
    },
  };
};

async function findServer(context: PartContext): Promise<string> {
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
