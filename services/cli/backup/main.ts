// npm run backup -- --out FOLDER, npm run restore -- --from FOLDER
import { messageOf } from "../../../schemas/errors.ts";
import { topicsOf } from "../../../schemas/topics.ts";
import { loadCommandConfig } from "../../common/command-config.ts";
import { createKafka } from "../../common/kafka/client.ts";
import { createLog } from "../../common/log.ts";
import { createCodec } from "../../common/registry/codec.ts";
import { createFetchSchema } from "../../common/registry/fetch-schema.ts";
import { createRegisterAgain } from "../../common/registry/register-again.ts";
import { type ProvisionConfig, provisionEnv } from "../provision/config.ts";
import { parseBackupCommand } from "./command.ts";
import { restoreBackup } from "./restore.ts";
import { saveBackup } from "./save.ts";

const log = createLog("backup", "silent");
const print = (line: string) => process.stdout.write(`${line}\n`);

try {
  const { name, folder } = parseBackupCommand(process.argv.slice(2));
  const config = await loadCommandConfig(provisionEnv, process.env);
  if (name === "save") await saveInto(folder, config);
  else await restoreFrom(folder, config);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

async function saveInto(folder: string, config: ProvisionConfig): Promise<void> {
  const kafka = createKafka("tracklog-backup", config, log);
  const fetchSchema = createFetchSchema(config);
  const { manifest, unknownIds } = await saveBackup(folder, {
    kafka,
    fetchSchema,
    namespace: config.TRACKLOG_NAMESPACE,
    now: Date.now,
  });
  print(`${folder}: ${manifest.partitions.reduce((sum, { messages }) => sum + messages, 0)} messages`);
  if (unknownIds.length === 0) return;
  process.stderr.write(
    `The registry has no schema ${unknownIds.join(", ")}: nothing reads the messages that name it.\n`,
  );
}

async function restoreFrom(folder: string, config: ProvisionConfig): Promise<void> {
  const { TRACKLOG_NAMESPACE: namespace, TOPIC_REPLICATION_FACTOR: replicationFactor } = config;
  const kafka = createKafka("tracklog-restore", config, log);
  const admin = kafka.admin();
  await admin.connect();
  try {
    await createCodec(config);
    const topics = topicsOf(namespace, config.CAMERA_PARTITIONS, config.CAMERA_LOG_RETENTION_MS);
    const register = createRegisterAgain(config);
    await restoreBackup(folder, { kafka, admin, register, namespace, topics, replicationFactor, log, print });
  } finally {
    await admin.disconnect();
  }
}
