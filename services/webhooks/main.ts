import { loadConfig } from "../common/config.ts";
import { runService } from "../common/service.ts";
import { assemble } from "./assemble.ts";
import { webhooksEnv } from "./config.ts";

await runService("webhooks", () => loadConfig(webhooksEnv, process.env), assemble);
