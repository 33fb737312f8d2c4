// npm run replay -- ...
import { constants, setPriority } from "node:os";
import { messageOf } from "../../../schemas/errors.ts";
import { loadCommandConfig } from "../../common/command-config.ts";
import { createKafka } from "../../common/kafka/client.ts";
import { createLog } from "../../common/log.ts";
import { createCodec } from "../../common/registry/codec.ts";
import { printable } from "../dead-letters/text.ts";
import { parseReplayCommand } from "./command.ts";
import { replayCommandEnv } from "./config.ts";
import { fromStores } from "./from-stores.ts";
import { runReplayCommand } from "./run-command.ts";

const DIFFERENT = 1;
const FAILED = 2;

// The reader of our output may close it early: the run continues.
process.stdout.on("error", () => undefined);
// Live processing has priority over replays.
setPriority(constants.priority.PRIORITY_LOW);
const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => stopping.abort(new Error(`Stopped by ${name}.`)));
}

try {
  process.exitCode = await run(process.argv.slice(2), stopping.signal);
} catch (error) {
  const reason = stopping.signal.aborted ? stopping.signal.reason : error;
  process.stderr.write(`${describeError(reason).split("\n").map(printable).join("\n")}\n`);
  process.exitCode = FAILED;
}
// Clients of lost stores may still hold timers.
setTimeout(() => process.exit(), 500).unref();

async function run(args: readonly string[], signal: AbortSignal): Promise<number> {
  const command = parseReplayCommand(args);
  const config = await loadCommandConfig(replayCommandEnv, process.env);
  const log = createLog("replay", "silent");
  const kafka = createKafka("tracklog-replay-command", config, log);
  const source = await fromStores(command, { config, kafka, codec: await createCodec(config), log, signal });
  try {
    const isSame = await runReplayCommand(command, source, {
      config,
      signal,
      progressStream: process.stderr,
      print: (line) => process.stdout.write(`${line}\n`),
      printError: (line) => process.stderr.write(`${line}\n`),
    });
    return isSame ? 0 : DIFFERENT;
  } finally {
    await source.close();
  }
}

/** The broker's error does not name the missing topic. */
function describeError(error: unknown): string {
  const missing = error instanceof Error && "type" in error && error.type === "UNKNOWN_TOPIC_OR_PARTITION";
  return missing ? "A topic is missing: see TRACKLOG_NAMESPACE, or run npm run topics." : messageOf(error);
}
