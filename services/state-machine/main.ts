import { loadConfig } from "../common/config.ts";
import { main, run, stopRequested } from "../common/lifecycle.ts";
import { createLog } from "../common/log.ts";
import { connectRegistry } from "../common/registry.ts";
import { assemble } from "./assemble.ts";
import { stateMachineEnv } from "./config.ts";

const stopSignal = stopRequested();
const config = loadConfig(stateMachineEnv, process.env);
const log = createLog("state-machine", config.LOG_LEVEL);

await main(log, async () => {
  const codec = await connectRegistry(config.SCHEMA_REGISTRY_URL, log, stopSignal);
  if (codec !== undefined) await run(assemble({ config, codec, log }), stopSignal, log);
});
