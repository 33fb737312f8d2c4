import { loadConfig } from "../common/config.ts";
import { runService } from "../common/process/service.ts";
import { assembleWebhooks } from "./assemble.ts";
import { webhooksEnv } from "./config.ts";

await runService("webhooks", () => loadConfig(webhooksEnv, process.env), assembleWebhooks);
