import { groupName } from "../../schemas/topics.ts";
import { loadConfig } from "../common/config.ts";
import { main, run, stopRequested } from "../common/lifecycle.ts";
import { createLog } from "../common/log.ts";
import { connectRegistry } from "../common/registry.ts";
import { assemble } from "./assemble.ts";
import { projectorEnv } from "./config.ts";

const stopSignal = stopRequested();
const config = loadConfig(projectorEnv, process.env);
const log = createLog("projector", config.LOG_LEVEL);

await main(log, async () => {
  const codec = await connectRegistry(config.SCHEMA_REGISTRY_URL, log, stopSignal);
  if (codec === undefined) return;
  const { parts } = assemble({
    config,
    codec,
    log,
    groupId: groupName(config.TRACKLOG_NAMESPACE, "projector"),
    database: config.CLICKHOUSE_DATABASE,
    deadLetters: true,
  });
  await run(parts, stopSignal, log);
});
