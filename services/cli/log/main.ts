// npm run log -- export|import|show
import { createRequire } from "node:module";
import { eventBoundsOf } from "../../../schemas/bounds.ts";
import { messageOf } from "../../../schemas/errors.ts";
import { topicsOf } from "../../../schemas/topics.ts";
import { loadCommandConfig } from "../../common/command-config.ts";
import { createKafka } from "../../common/kafka/client.ts";
import { stopRequested } from "../../common/lifecycle.ts";
import { createLog } from "../../common/log.ts";
import { createCodec } from "../../common/registry/codec.ts";
import { recordedStoresEnv } from "../../recorded/config.ts";
import { printable } from "../dead-letters/text.ts";
import { type LogCommand, parseLogCommand } from "./command.ts";
import { importStretchEnv } from "./config.ts";
import { importStretch } from "./import-stretch.ts";
import { runExport } from "./run-export.ts";
import { showStretch } from "./show.ts";
import { exportedText, importedText } from "./summary.ts";

const log = createLog("log", "silent");
// The texts may come from a file of somebody else.
const print = (text: string) => process.stdout.write(`${shown(text)}\n`);
const shown = (text: string) => text.split("\n").map(printable).join("\n");
const { version }: { readonly version: string } = createRequire(import.meta.url)("../../../package.json");
const stop = new AbortController();
void stopRequested().then(() => stop.abort(new Error("Stopped.")));

try {
  await run(parseLogCommand(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${shown(messageOf(error))}\n`);
  process.exitCode = 1;
}
// Clients of lost stores may still hold timers.
setTimeout(() => process.exit(), 500).unref();

async function run(command: LogCommand): Promise<void> {
  if (command.name === "import") return runImportStretch(command);
  if (command.name === "show") {
    print(await showStretch(command.path));
    return;
  }
  const config = await loadCommandConfig(recordedStoresEnv, process.env);
  const codec = await createCodec(config);
  const deps = { config, codec, log, version, now: Date.now, signal: stop.signal };
  print(exportedText(command.out, await runExport(command, deps)));
}

async function runImportStretch(command: Extract<LogCommand, { readonly name: "import" }>): Promise<void> {
  const config = await loadCommandConfig(importStretchEnv, process.env);
  const namespace = command.namespace ?? config.TRACKLOG_NAMESPACE;
  const { CAMERA_PARTITIONS: partitions, CAMERA_LOG_RETENTION_MS: retentionMs } = config;
  const kafka = createKafka("tracklog-log", config, log);
  const admin = kafka.admin();
  await admin.connect();
  try {
    const imported = await importStretch(command, {
      kafka,
      admin,
      namespace,
      retentionMs,
      log,
      print,
      codec: await createCodec(config),
      topics: topicsOf(namespace, partitions, retentionMs),
      replicationFactor: config.TOPIC_REPLICATION_FACTOR,
      bounds: eventBoundsOf(config),
      now: Date.now,
      signal: stop.signal,
    });
    print(importedText(command.path, namespace, imported));
  } finally {
    await admin.disconnect();
  }
}
