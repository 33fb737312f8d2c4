import { loadCommandConfig } from "../../common/command-config.ts";
import { orExit } from "../../common/config.ts";
import { main } from "../../common/lifecycle.ts";
import { createLog } from "../../common/log.ts";
import { provisionEnv } from "./config.ts";
import { provision } from "./provision.ts";

const config = await orExit(() => loadCommandConfig(provisionEnv, process.env));
const log = createLog("provision", config.LOG_LEVEL);

await main(log, async () => {
  const { created, mended } = await provision(config, log);
  log.info({ created, mended }, "topics and schemas are in place");
});
