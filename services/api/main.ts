import { loadConfig } from "../common/config.ts";
import { runService } from "../common/service.ts";
import { assemble } from "./assemble.ts";
import { apiEnv } from "./config.ts";

await runService(
  "api",
  () => loadConfig(apiEnv, process.env),
  ({ config, codec, log }) => assemble(config, codec, log),
);
