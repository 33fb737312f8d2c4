import { loadConfig } from "../common/config.ts";
import { main, run, stopRequested } from "../common/lifecycle.ts";
import { createLog } from "../common/log.ts";
import { connectRegistry } from "../common/registry.ts";
import { assemble } from "./assemble.ts";
import { apiEnv } from "./config.ts";

const stopSignal = stopRequested();
const config = loadConfig(apiEnv, process.env);
const log = createLog("api", config.LOG_LEVEL);

await main(log, async () => {
  const codec = await connectRegistry(config.SCHEMA_REGISTRY_URL, log, stopSignal);
  if (codec !== undefined) await run(await assemble(config, codec, log), stopSignal, log);
});
