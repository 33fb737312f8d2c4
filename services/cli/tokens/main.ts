// This command needs the broker, not the API: an operator who can write the catalog may hand out tokens.

import { messageOf } from "../../../schemas/errors.ts";
import { loadCommandConfig } from "../../common/command-config.ts";
import { createKafka } from "../../common/kafka/client.ts";
import { createLog } from "../../common/log.ts";
import { createCodec } from "../../common/registry/codec.ts";
import { parseTokensCommand, runTokensCommand } from "./command.ts";
import { tokensEnv } from "./config.ts";
import { createTokenStore } from "./store.ts";

try {
  const command = parseTokensCommand(process.argv.slice(2));
  const config = await loadCommandConfig(tokensEnv, process.env);
  const log = createLog("tokens", "fatal");
  const kafka = createKafka("tracklog-tokens", config, log);
  const codec = await createCodec(config);
  const store = createTokenStore({ kafka, codec, namespace: config.TRACKLOG_NAMESPACE, log, now: Date.now });
  process.stdout.write(`${await runTokensCommand(command, store)}\n`);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
