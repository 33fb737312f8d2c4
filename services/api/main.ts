import { loadConfig } from "../common/config.ts";
import { main, run, stopRequested } from "../common/lifecycle.ts";
import { createLog } from "../common/log.ts";
import { assemble } from "./assemble.ts";
import { apiEnv } from "./config.ts";

const stopSignal = stopRequested();
const config = loadConfig(apiEnv, process.env);
const log = createLog("api", config.LOG_LEVEL);

await main(log, async () => {
  await run(await assemble(config, log), stopSignal, log);
});
