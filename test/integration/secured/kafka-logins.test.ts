import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import kafkajs from "kafkajs";
import { pino } from "pino";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { kafkaEnv, loadConfig } from "../../../services/common/config.ts";
import { createKafka } from "../../../services/common/kafka/client.ts";
import { createGroupReader } from "../../../services/common/kafka/read/group-reader.ts";
import { createTopics } from "../../../services/common/kafka/write/provision.ts";
import { createPublisher } from "../../../services/common/kafka/write/publisher.ts";
import { createLog } from "../../../services/common/log.ts";
import { type Authority, createAuthority } from "../../support/running/certificates.ts";
import { until } from "../../support/running/processes.ts";
import { scratchDir } from "../../support/running/scratch-dir.ts";
import { type SecuredKafka, startSecuredKafka } from "../../support/running/secured-kafka.ts";

type Env = Readonly<Record<string, string>>;

const TOPIC = "camera-log";
const USER = "worker";
const silent = createLog("test", "silent");

let dir: string;
let authority: Authority;
let kafka: SecuredKafka;

beforeAll(async () => {
  dir = await scratchDir("tracklog-secured-");
  authority = await createAuthority(dir);
  kafka = await startSecuredKafka(dir, authority, [USER]);
  const admin = clientOf(kafka.envOf("admin")).admin();
  await admin.connect();
  await createTopics(admin, [{ topic: TOPIC, numPartitions: 1, replicationFactor: 1 }]);
  const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;
  const right = { principal: `User:${USER}`, host: "*", permissionType: AclPermissionTypes.ALLOW };
  const topic = { resourceType: AclResourceTypes.TOPIC, resourceName: TOPIC };
  const literal = { ...right, ...topic, resourcePatternType: ResourcePatternTypes.LITERAL };
  await admin.disconnect();
  const groups = {
    resourceType: AclResourceTypes.GROUP,
    resourceName: "tracklog.",
    resourcePatternType: ResourcePatternTypes.PREFIXED,
  };
  await kafka.grant([
    { ...literal, operation: AclOperationTypes.READ },
    { ...literal, operation: AclOperationTypes.WRITE },
    { ...right, ...groups, operation: AclOperationTypes.READ },
  ]);
});

afterAll(async () => {
  await kafka?.stop();
  await rm(dir, { recursive: true, force: true });
});

const clientOf = (env: Env, log = silent) => createKafka("test", loadConfig(kafkaEnv, env), log);

/** Resolves with the topics that the login shows, and rejects with everything that the log says of a refusal. */
async function topicsShownTo(env: Env): Promise<readonly string[]> {
  const lines: string[] = [];
  const admin = clientOf(env, pino({ level: "warn" }, { write: (line) => lines.push(line) })).admin();
  try {
    await admin.connect();
    return await admin.listTopics();
  } catch (error) {
    throw new Error(lines.join(""), { cause: error });
  } finally {
    await admin.disconnect();
  }
}

test("messages are published and read with a password, over TLS, with rights on one topic and its groups", async () => {
  const client = clientOf(kafka.envOf(USER));
  const limits = { lingerMs: 0, maxBatchBytes: 1_000_000, maxQueueBytes: 1_000_000, timeoutMs: 30_000 };
  const publisher = createPublisher({ kafka: client, topics: [TOPIC], log: silent, ...limits });
  const reader = createGroupReader({ kafka: client, groupId: "tracklog..worker", topics: [TOPIC], log: silent });
  await Promise.all([publisher.start(), reader.start()]);
  onTestFinished(async () => void (await Promise.all([publisher.stop(), reader.stop()])));

  await publisher.publish([{ topic: TOPIC, key: "cam", value: Buffer.from("sent") }]);

  const id = await until(async () => (await reader.next(100)).assigned?.[0]);
  if (id === undefined) throw new Error("no partition was assigned");
  await reader.begin([{ ...id, offset: undefined }]);
  const [batch] =
    (await until(async () => {
      const { batches } = await reader.next(100);
      return batches.length > 0 && batches;
    })) || [];
  expect(batch?.messages.map(({ value }) => value?.toString())).toEqual(["sent"]);
  expect(await kafka.denied()).toEqual([]);
});

test("what no right names is denied, and the broker says so", async () => {
  const admin = clientOf(kafka.envOf(USER)).admin();
  onTestFinished(() => admin.disconnect());
  await admin.connect();

  await expect(admin.deleteTopics({ topics: [TOPIC] })).rejects.toThrow();

  await until(async () => (await kafka.denied()).some((line) => line.includes(`User:${USER} is Denied`)));
});

test("a wrong password, an authority of somebody else and a missing certificate are refused, and the log says so", async () => {
  const foreign = await createAuthority(dir, "foreign");
  const refusalOf = (env: Env) => expect(topicsShownTo(env)).rejects;

  await Promise.all([
    refusalOf({ ...kafka.envOf(USER), KAFKA_SASL_PASSWORD: "guessed" }).toThrow(
      /SASL SCRAM SHA512 authentication failed/,
    ),
    refusalOf({ ...kafka.envOf(USER), KAFKA_CA_FILE: foreign.caFile }).toThrow(
      /unable to verify|self-signed certificate/,
    ),
    refusalOf({ ...kafka.envOf(USER), KAFKA_CA_FILE: "" }).toThrow(/unable to verify|self-signed certificate/),
    refusalOf(kafka.certificateEnv).toThrow(/certificate/),
  ]);
});

test("a certificate that is replaced on disk is that of the next connection", async () => {
  const foreign = await createAuthority(dir, "foreign");
  const { certFile, keyFile } = await foreign.issue(USER);
  const env = { ...kafka.certificateEnv, KAFKA_CERT_FILE: certFile, KAFKA_KEY_FILE: keyFile };
  const admin = clientOf(env).admin();
  onTestFinished(() => admin.disconnect());
  await expect(admin.connect()).rejects.toThrow();

  await authority.issue(USER);

  await admin.connect();
  expect(await admin.listTopics()).toEqual([TOPIC]);
});

test("a token is read from its file at each connection, and one for another audience is refused in the log", async () => {
  const file = join(dir, "token");
  const { KAFKA_SASL_USERNAME: _name, KAFKA_SASL_PASSWORD: _password, ...address } = kafka.envOf(USER);
  const env = { ...address, KAFKA_SASL_MECHANISM: "OAUTHBEARER", KAFKA_SASL_TOKEN_FILE: file };
  const put = async (token: string) => {
    await writeFile(`${file}.new`, `${token}\n`);
    await rename(`${file}.new`, file);
  };
  await put(kafka.tokenOf(USER, "another"));
  await expect(topicsShownTo(env)).rejects.toThrow(/the broker refuses the token: .*invalid_token/);

  await put(kafka.tokenOf(USER));

  expect(await topicsShownTo(env)).toEqual([TOPIC]);
});
