import { loadConfig } from "../common/config.ts";
import { main, run, stopRequested } from "../common/lifecycle.ts";
import { createLog } from "../common/log.ts";
import { assemble } from "./assemble.ts";
import { stateMachineEnv } from "./config.ts";

const stopSignal = stopRequested();
const config = loadConfig(stateMachineEnv, process.env);
const log = createLog("state-machine", config.LOG_LEVEL);

await main(log, async () => run(await assemble({ config, log }), stopSignal, log));
