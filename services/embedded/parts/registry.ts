import { generateKeyPairSync, sign } from "node:crypto";
import { join } from "node:path";
import type { Artifact } from "../tools/artifacts.ts";
import { prepareDir } from "../tools/data-dir.ts";
import { freePort, LOOPBACK } from "../tools/free-port.ts";
import { probeHttp } from "../tools/probe.ts";
import { type JavaRun, prepareJava } from "./java-part.ts";
import type { Prepare, Prepared } from "./part.ts";

const VERSION = "2.6.13.Final";

const artifact: Artifact = {
  folder: `apicurio-${VERSION}`,
  title: `Apicurio Registry ${VERSION}`,
  coordinates: `io.apicurio:apicurio-registry-app:${VERSION}:tar.gz:all`,
  how: "unpack",
};

const STOP_GRACE_MS = 1_500;

export const prepareRegistry: Prepare = prepareJava(artifact, "registry", registryOn);

async function registryOn({ context, java, program, dir, jvmArgs }: JavaRun): Promise<Prepared> {
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
          // already holds messages that name them. H2 gives up a lock after a second by default, which is too short
          // when several installations register their schemas at once.
          REGISTRY_DATASOURCE_URL: `jdbc:h2:file:${join(dir, "registry")};WRITE_DELAY=0;LOCK_TIMEOUT=30000`,
        },
      },
      logFile: join(context.logDir, "registry.log"),
      probe: () => probeHttp(`http://${path}/subjects`, { authorization: `Bearer ${token}` }),
      stopGraceMs: STOP_GRACE_MS,
    },
  };
}

interface RegistryAccess {
  readonly token: string;
  /** Key with which the registry verifies the token: base64 of its DER form. */
  readonly publicKey: string;
}

/** The registry refuses tokens that never expire. This is longer than any process runs. */
const VALID_S = 100 * 365 * 86_400;

/**
 * The registry has no passwords of its own, only tokens of an identity provider; but it can verify these by a public
 * key alone. So we sign one token for ourselves and throw the private key away.
 */
function createRegistryAccess(nowMs: number): RegistryAccess {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const issued = Math.floor(nowMs / 1_000);
  const claims = { sub: "tracklog", iat: issued, exp: issued + VALID_S };
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  return {
    token: `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`,
    publicKey: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  };
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
