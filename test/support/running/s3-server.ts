// A real S3-compatible server (S3Proxy, from Maven) over a folder. It checks signatures and their expiry, as AWS does.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { fetchArtifact } from "../../../services/embedded/tools/artifacts.ts";
import { freePort, LOOPBACK } from "../../../services/embedded/tools/free-port.ts";
import { findJava } from "../../../services/embedded/tools/java.ts";
import { probeTcp } from "../../../services/embedded/tools/probe.ts";
import { supervise } from "../../../services/embedded/tools/supervised.ts";

const VERSION = "3.0.0";

const artifact = {
  folder: `s3proxy-${VERSION}`,
  title: `S3Proxy ${VERSION}`,
  coordinates: `org.gaul:s3proxy:${VERSION}:jar:jar-with-dependencies`,
  how: "unpack",
} as const;

const BUCKET = "media";
const CREDENTIALS = { accessKeyId: "tracklog", secretAccessKey: "a secret of the test" };

export interface S3Server {
  /** The variables with which a service uses the bucket. */
  readonly env: Readonly<Record<string, string>>;
  /** SIGKILL; `resume` brings it back with its data. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** `dir`: an empty folder of the caller's. */
export async function startS3(dir: string): Promise<S3Server> {
  const { signal } = new AbortController();
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const cacheDir = fileURLToPath(new URL("../../../.tracklog/cache", import.meta.url));
  const java = await findJava(env, signal);
  const program = await fetchArtifact(artifact, { cacheDir, env, signal, onProgress: () => {} });
  const port = await freePort();
  const endpoint = `http://${LOOPBACK}:${port}`;
  const args = ["-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", program];
  const server = supervise(
    {
      title: artifact.title,
      command: {
        file: java.file,
        args: [...args, "org.gaul.s3proxy.Main", "--properties", await writeProperties(dir, endpoint)],
        // In a locale without UTF-8, Java cannot name files in every script, and S3Proxy answers 400.
        env: { ...env, LOG_LEVEL: "warn", LC_ALL: "C.UTF-8" },
      },
      logFile: join(dir, "s3proxy.log"),
      probe: () => probeTcp(port, "", ""),
      stopGraceMs: 1_000,
    },
    () => {},
  );
  await server.start();
  const client = new S3Client({ region: "us-east-1", endpoint, forcePathStyle: true, credentials: CREDENTIALS });
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  client.destroy();
  return {
    env: {
      MEDIA_BUCKET: BUCKET,
      MEDIA_ENDPOINT: endpoint,
      MEDIA_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      MEDIA_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    },
    halt: server.halt,
    resume: server.start,
    stop: server.stop,
  };
}

async function writeProperties(dir: string, endpoint: string): Promise<string> {
  const file = join(dir, "s3proxy.properties");
  const data = join(dir, "data");
  await mkdir(data);
  const properties = {
    "s3proxy.endpoint": endpoint,
    "s3proxy.authorization": "aws-v4",
    "s3proxy.identity": CREDENTIALS.accessKeyId,
    "s3proxy.credential": CREDENTIALS.secretAccessKey,
    "jclouds.provider": "filesystem-nio2",
    "jclouds.filesystem.basedir": data,
    "jclouds.identity": "unused",
    "jclouds.credential": "unused",
  };
  await writeFile(
    file,
    Object.entries(properties)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  return file;
}
