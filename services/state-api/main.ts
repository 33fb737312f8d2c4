import { loadConfig } from "../common/config.ts";
import { runService } from "../common/process/service.ts";
import { assembleStateApi } from "./assemble.ts";
import { stateApiEnv } from "./shared/config.ts";

await runService("state-api", () => loadConfig(stateApiEnv, process.env), assembleStateApi);
