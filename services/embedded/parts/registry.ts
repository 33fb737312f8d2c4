import { join } from "node:path";
import { type Artifact, fetchArtifact } from "../tools/artifacts.ts";
import { classArchive } from "../tools/class-archive.ts";
import { prepareDir } from "../tools/data-dir.ts";
import { freePort, LOOPBACK } from "../tools/free-port.ts";
import { probeHttp } from "../tools/probe.ts";
import type { PartContext, Prepare, Prepared } from "./part.ts";
import { createRegistryAccess } from "./registry-token.ts";

const VERSION = "2.6.13.Final";

const artifact: Artifact = {
  folder: `apicurio-${VERSION}`,
  title: `Apicurio Registry ${VERSION}`,
  coordinates: `io.apicurio:apicurio-registry-app:${VERSION}:tar.gz:all`,
  how: "unpack",
};

const STOP_GRACE_MS = 1_500;

export const prepareRegistry: Prepare = async (context) => {
  // Java is checked first: without it a download is useless.
  const java = await context.java();
  const program = await fetchArtifact(artifact, context);
  const describe = (dir: string, jvmArgs: readonly string[]) =>
    registryOn({ context, java: java.file, program, dir, jvmArgs });
  const jvmArgs = await classArchive(
    { title: artifact.title, program, java, describe: async (...args) => (await describe(...args)).spec },
    context,
  );
  return describe(join(context.dataDir, "registry"), jvmArgs);
};

interface RegistryRun {
  readonly context: PartContext;
  readonly java: string;
  readonly program: string;
  readonly dir: string;
  readonly jvmArgs: readonly string[];
}

async function registryOn({ context, java, program, dir, jvmArgs }: RegistryRun): Promise<Prepared> {
  await prepareDir(dir);
  const port = await freePort();
  const path = `${LOOPBACK}:${port}/apis/ccompat/v7`;
  const { token, publicKey } = createRegistryAccess(Date.now());
  const jar = join(program, `apicurio-registry-app-${VERSION}-runner.jar`);
  return {
    env: { SCHEMA_REGISTRY_URL: `http://${token}@${path}` },
    spec: {
      title: "The schema registry",
      command: {
        file: java,
        args: [...jvmArgs, "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", jar],
        env: {
          ...context.env,
          QUARKUS_HTTP_HOST: LOOPBACK,
          QUARKUS_HTTP_PORT: String(port),
          REGISTRY_AUTH_ENABLED: "true",
          QUARKUS_OIDC_PUBLIC_KEY: publicKey,
          // With an address, the registry would search for a server that issues tokens.
          QUARKUS_OIDC_AUTH_SERVER_URL: "",
          // Without WRITE_DELAY=0 a killed registry forgets the schemas of its last half second, while Kafka
          // already holds messages that name them.
          REGISTRY_DATASOURCE_URL: `jdbc:h2:file:${join(dir, "registry")};WRITE_DELAY=0`,
        },
      },
      logFile: join(context.logDir, "registry.log"),
      probe: () => probeHttp(`http://${path}/subjects`, { authorization: `Bearer ${token}` }),
      stopGraceMs: STOP_GRACE_MS,
    },
  };
}
