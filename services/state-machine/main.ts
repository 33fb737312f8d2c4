import { loadConfig } from "../common/config.ts";
import { runService } from "../common/service.ts";
import { assemble } from "./assemble.ts";
import { stateMachineEnv } from "./config.ts";

await runService("state-machine", () => loadConfig(stateMachineEnv, process.env), assemble);
