// The whole of npm run replay, from its arguments to its exit code.
import { eventBoundsOf } from "../../../schemas/bounds.ts";
import { messageOf } from "../../../schemas/errors.ts";
import { loadCommandConfig } from "../../common/command-config.ts";
import { loadConfig } from "../../common/config.ts";
import { foldSettings } from "../../common/fold-config.ts";
import { createKafka } from "../../common/kafka/client.ts";
import { createLog } from "../../common/log.ts";
import { createCodec } from "../../common/registry/codec.ts";
import { printable } from "../dead-letters/text.ts";
import { parseReplayCommand, type ReplayCommand } from "./command.ts";
import { fileReplayEnv, replayCommandEnv } from "./config.ts";
import { fromStretchFile } from "./from-file.ts";
import { fromStores } from "./from-stores.ts";
import { type RunCommandDeps, runReplayCommand } from "./run-command.ts";

const SAME = 0;
const DIFFERENT = 1;
const FAILED = 2;

export async function runReplay(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  deps: Omit<RunCommandDeps, "config">,
): Promise<number> {
  const { signal, printError } = deps;
  try {
    return (await run(args, env, deps)) ? SAME : DIFFERENT;
  } catch (error) {
    // Work that the signal interrupts fails in many ways.
    const reason = signal.aborted ? signal.reason : error;
    for (const line of describeError(reason).split("\n")) printError(printable(line));
    return FAILED;
  }
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv, deps: Omit<RunCommandDeps, "config">) {
  const command = parseReplayCommand(args);
  const { config, source } = await openSource(command, env, deps);
  try {
    return await runReplayCommand(command, source, { ...deps, config });
  } finally {
    await source.close();
  }
}

/** A run that reads a file asks for no store. */
async function openSource(
  command: ReplayCommand,
  env: NodeJS.ProcessEnv,
  { signal, printError }: Pick<RunCommandDeps, "signal" | "printError">,
) {
  const { file: path, selection } = command;
  if (path !== undefined) {
    const config = loadConfig(fileReplayEnv, env);
    const limits = { settings: foldSettings(config), bounds: eventBoundsOf(config) };
    return { config, source: await fromStretchFile({ ...command, path }, limits) };
  }
  if (selection === undefined) throw new Error("Nothing is selected.");
  const config = await loadCommandConfig(replayCommandEnv, env);
  const log = createLog("replay", "silent");
  const kafka = createKafka("tracklog-replay-command", config, log);
  const codec = await createCodec(config);
  const stores = { config, kafka, codec, log, signal, printError };
  return { config, source: await fromStores({ ...command, selection }, stores) };
}

/** The broker's error does not name the missing topic. */
function describeError(error: unknown): string {
  const missing = error instanceof Error && "type" in error && error.type === "UNKNOWN_TOPIC_OR_PARTITION";
  return missing ? "A topic is missing: see TRACKLOG_NAMESPACE, or run npm run topics." : messageOf(error);
}
