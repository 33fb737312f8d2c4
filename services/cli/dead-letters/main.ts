// This command needs only the broker and the registry.
import { eventBoundsOf } from "../../../schemas/bounds.ts";
import { messageOf } from "../../../schemas/errors.ts";
import { groupName } from "../../../schemas/topics.ts";
import { loadCommandConfig } from "../../common/command-config.ts";
import { createKafka } from "../../common/kafka/client.ts";
import { createLog } from "../../common/log.ts";
import { createCodec } from "../../common/registry/codec.ts";
import { parseDeadLettersCommand, runDeadLettersCommand } from "./command.ts";
import { deadLettersEnv } from "./config.ts";
import { printable } from "./text.ts";

// The reader of our output may close it early: the redrive continues.
process.stdout.on("error", () => undefined);

try {
  const command = parseDeadLettersCommand(process.argv.slice(2));
  const config = await loadCommandConfig(deadLettersEnv, process.env);
  const log = createLog("dead-letters", "silent");
  const done = await runDeadLettersCommand(command, {
    kafka: createKafka("tracklog-dead-letters", config, log),
    groupPrefix: groupName(config.TRACKLOG_NAMESPACE, "dead-letters"),
    codec: await createCodec(config),
    namespace: config.TRACKLOG_NAMESPACE,
    bounds: eventBoundsOf(config),
    log,
    now: Date.now,
    print: (line) => process.stdout.write(`${line}\n`),
    printError: (line) => process.stderr.write(`${line}\n`),
  });
  if (!done) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${describeError(error).split("\n").map(printable).join("\n")}\n`);
  process.exitCode = 1;
}

/** The broker's error does not name the missing topic. */
function describeError(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const missing = cause instanceof Error && "type" in cause && cause.type === "UNKNOWN_TOPIC_OR_PARTITION";
  return missing ? "A topic is missing: see TRACKLOG_NAMESPACE, or run npm run topics." : messageOf(error);
}
