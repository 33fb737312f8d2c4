import { loadConfig } from "../common/config.ts";
import { runService } from "../common/process/service.ts";
import { assembleApi } from "./assemble.ts";
import { apiEnv } from "./config.ts";

await runService(
  "api",
  () => loadConfig(apiEnv, process.env),
  ({ config, codec, log }) => assembleApi(config, codec, log),
);
