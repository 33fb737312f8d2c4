import { loadConfig } from "../common/config.ts";
import { runService } from "../common/process/service.ts";
import { assembleStateMachine } from "./assemble.ts";
import { stateMachineEnv } from "./config.ts";

await runService("state-machine", () => loadConfig(stateMachineEnv, process.env), assembleStateMachine);
