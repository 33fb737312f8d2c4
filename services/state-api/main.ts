import { loadConfig } from "../common/config.ts";
import { runService } from "../common/service.ts";
import { assemble } from "./assemble.ts";
import { stateApiEnv } from "./config.ts";

await runService("state-api", () => loadConfig(stateApiEnv, process.env), assemble);
