// The whole of npm run replay, from its arguments to its exit code.
import { messageOf } from "../../../schemas/errors.ts";
import { loadCommandConfig } from "../../common/command-config.ts";
import { createKafka } from "../../common/kafka/client.ts";
import { createLog } from "../../common/log.ts";
import { createCodec } from "../../common/registry/codec.ts";
import { printable } from "../dead-letters/text.ts";
import { parseReplayCommand } from "./command.ts";
import { replayCommandEnv } from "./config.ts";
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
  const config = await loadCommandConfig(replayCommandEnv, env);
  const log = createLog("replay", "silent");
  const kafka = createKafka("tracklog-replay-command", config, log);
  const codec = await createCodec(config);
  const source = await fromStores(command, { config, kafka, codec, log, signal: deps.signal });
  try {
    return await runReplayCommand(command, source, { ...deps, config });
  } finally {
    await source.close();
  }
}

/** The broker's error does not name the missing topic. */
function describeError(error: unknown): string {
  const missing = error instanceof Error && "type" in error && error.type === "UNKNOWN_TOPIC_OR_PARTITION";
  return missing ? "A topic is missing: see TRACKLOG_NAMESPACE, or run npm run topics." : messageOf(error);
}
