import { join } from "node:path";
import { type Artifact, fetchArtifact } from "../artifacts.ts";
import { prepareDir } from "../data-dir.ts";
import { freePort, LOOPBACK } from "../free-port.ts";
import { probeHttp } from "../probe.ts";
import type { Prepare } from "./part.ts";

const VERSION = "2.6.13.Final";

const artifact: Artifact = {
  folder: `apicurio-${VERSION}`,
  title: `Apicurio Registry ${VERSION}`,
  coordinates: `io.apicurio:apicurio-registry-app:${VERSION}:tar.gz:all`,
  how: "unpack",
};

const STOP_GRACE_MS = 2_000;

export const prepareRegistry: Prepare = async (context) => {
  const [java, program] = await Promise.all([context.java(), fetchArtifact(artifact, context)]);
  const dir = join(context.dataDir, "registry");
  await prepareDir(dir);
  const port = await freePort();
  const url = `http://${LOOPBACK}:${port}/apis/ccompat/v7`;
  return {
    env: { SCHEMA_REGISTRY_URL: url },
    spec: {
      title: "The schema registry",
      command: {
        file: java,
        args: [
          "-Xmx256m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-jar",
          join(program, `apicurio-registry-app-${VERSION}-runner.jar`),
        ],
        env: {
          ...context.env,
          QUARKUS_HTTP_HOST: LOOPBACK,
          QUARKUS_HTTP_PORT: String(port),
          // Without WRITE_DELAY=0 a killed registry forgets the schemas of its last half second, while Kafka
          // already holds messages that name them.
          REGISTRY_DATASOURCE_URL: `jdbc:h2:file:${join(dir, "registry")};WRITE_DELAY=0`,
        },
      },
      logFile: join(context.logDir, "registry.log"),
      probe: () => probeHttp(`${url}/subjects`),
      stopGraceMs: STOP_GRACE_MS,
    },
  };
};
