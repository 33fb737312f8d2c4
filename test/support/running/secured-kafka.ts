// One Kafka node as an operator secures it: TLS, logins with passwords, tokens or certificates, and rights.
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import kafkajs, { type AclEntry } from "kafkajs";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createLog } from "../../../services/common/log.ts";
import { singleNodeProperties } from "../../../services/embedded/parts/kafka-properties.ts";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import type { Authority } from "./certificates.ts";
import { findKafka, type KafkaProperties, newClusterId, prepareNode } from "./kafka-node.ts";
import { until } from "./processes.ts";

type Env = Readonly<Record<string, string>>;

export interface SecuredKafka {
  /** Variables of a user with a password. The administrator, `admin`, has every right. */
  envOf(user: string): Env;
  /** Variables of the listener that admits the holders of certificates; a user's name is that of the certificate. */
  readonly certificateEnv: Env;
  /** Resolves when the rights count. */
  grant(acl: readonly AclEntry[]): Promise<void>;
  /** A token of this user for the listener with passwords. */
  tokenOf(user: string, audience?: string): string;
  /** Lines of the broker that say what it has denied. */
  denied(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const AUDIENCE = "kafka";
const passwordOf = (user: string): string => `password of ${user}`;

export async function startSecuredKafka(
  dir: string,
  authority: Authority,
  users: readonly string[],
): Promise<SecuredKafka> {
  const program = await findKafka();
  const [passwords, certificates, controller] = [await freePort(), await freePort(), await freePort()];
  const { certFile, keyFile } = await authority.issue("broker");
  const keystore = join(dir, "broker.keystore.pem");
  await writeFile(keystore, `${await readFile(keyFile, "utf8")}${await readFile(certFile, "utf8")}`);
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const jwks = join(dir, "jwks.json");
  await writeFile(jwks, JSON.stringify({ keys: [jwkOf(publicKey)] }));
  const jwksUrl = pathToFileURL(jwks).href;
  const node = await prepareNode(program, {
    dir,
    clusterId: newClusterId(),
    port: passwords,
    properties: propertiesOf({ passwords, certificates, controller, keystore, caFile: authority.caFile, jwksUrl }),
    formatArgs: ["admin", ...users].flatMap((name) => [
      "--add-scram",
      `SCRAM-SHA-512=[name=${name},password=${passwordOf(name)}]`,
    ]),
    jvmArgs: [
      `-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=${jwksUrl}`,
      "-Dorg.slf4j.simpleLogger.log.kafka.authorizer.logger=info",
    ],
  });
  await node.start();
  const encrypted = { KAFKA_SSL: "true", KAFKA_CA_FILE: authority.caFile };
  const envOf = (user: string) => ({
    ...encrypted,
    KAFKA_BROKERS: `localhost:${passwords}`,
    KAFKA_SASL_MECHANISM: "SCRAM-SHA-512",
    KAFKA_SASL_USERNAME: user,
    KAFKA_SASL_PASSWORD: passwordOf(user),
  });
  return {
    envOf,
    certificateEnv: { ...encrypted, KAFKA_BROKERS: `localhost:${certificates}` },
    grant: (acl) => grant(envOf("admin"), acl),
    tokenOf: (user, audience = AUDIENCE) => tokenOf(user, audience, privateKey),
    async denied() {
      const lines = (await readFile(join(dir, "kafka.log"), "utf8")).split("\n");
      return lines.filter((line) => line.includes(" is Denied "));
    },
    stop: node.stop,
  };
}

async function grant(env: Env, acl: readonly AclEntry[]): Promise<void> {
  const admin = createKafka("test", loadConfig(kafkaEnv, env), createLog("test", "silent")).admin();
  await admin.connect();
  await admin.createAcls({ acl: [...acl] });
  const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;
  const all = {
    resourceType: AclResourceTypes.ANY,
    resourcePatternType: ResourcePatternTypes.ANY,
    permissionType: AclPermissionTypes.ANY,
    operation: AclOperationTypes.ANY,
  };
  // The authorizer learns of a right a moment after the answer.
  await until(async () => {
    const { resources } = await admin.describeAcls(all);
    return resources.flatMap(({ acls }) => acls).length >= acl.length;
  });
  await admin.disconnect();
}

interface Secured {
  readonly passwords: number;
  readonly certificates: number;
  readonly controller: number;
  readonly keystore: string;
  readonly caFile: string;
  readonly jwksUrl: string;
}

const SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule";
const OAUTH = "org.apache.kafka.common.security.oauthbearer";

function propertiesOf({ passwords, certificates, controller, ...files }: Secured): KafkaProperties {
  const listeners = `CLIENT://localhost:${passwords},MTLS://localhost:${certificates}`;
  return {
    ...singleNodeProperties,
    listeners: `${listeners},CONTROLLER://localhost:${controller}`,
    "advertised.listeners": listeners,
    "controller.quorum.voters": `1@localhost:${controller}`,
    "listener.security.protocol.map": "CLIENT:SASL_SSL,MTLS:SSL,CONTROLLER:SSL",
    "inter.broker.listener.name": "CLIENT",
    "sasl.enabled.mechanisms": "SCRAM-SHA-512,OAUTHBEARER",
    "sasl.mechanism.inter.broker.protocol": "SCRAM-SHA-512",
    "listener.name.client.scram-sha-512.sasl.jaas.config": `${SCRAM} required username="admin" password="${passwordOf("admin")}";`,
    "listener.name.client.oauthbearer.sasl.jaas.config": `${OAUTH}.OAuthBearerLoginModule required;`,
    "listener.name.client.oauthbearer.sasl.server.callback.handler.class": `${OAUTH}.OAuthBearerValidatorCallbackHandler`,
    "sasl.oauthbearer.jwks.endpoint.url": files.jwksUrl,
    "sasl.oauthbearer.expected.audience": AUDIENCE,
    "ssl.keystore.type": "PEM",
    "ssl.keystore.location": files.keystore,
    "ssl.truststore.type": "PEM",
    "ssl.truststore.location": files.caFile,
    "listener.name.mtls.ssl.client.auth": "required",
    "listener.name.controller.ssl.client.auth": "required",
    "ssl.principal.mapping.rules": "RULE:^CN=([^,]+).*$/$1/,DEFAULT",
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:admin;User:broker",
  };
}

const KEY_ID = "test";

const jwkOf = (publicKey: KeyObject) => ({
  ...createPublicKey(publicKey.export({ type: "spki", format: "pem" })).export({ format: "jwk" }),
  kid: KEY_ID,
  alg: "RS256",
  use: "sig",
});

const LIFE_S = 3_600;

function tokenOf(sub: string, aud: string, privateKey: KeyObject): string {
  const iat = Math.floor(Date.now() / 1_000);
  const parts = [
    { alg: "RS256", kid: KEY_ID },
    { sub, aud, iat, exp: iat + LIFE_S },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), privateKey).toString("base64url")}`;
}
