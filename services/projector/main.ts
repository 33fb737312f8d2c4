import { groupName } from "../../schemas/topics.ts";
import { loadConfig } from "../common/config.ts";
import { main, run, stopRequested } from "../common/lifecycle.ts";
import { createLog } from "../common/log.ts";
import { assemble } from "./assemble.ts";
import { projectorEnv } from "./config.ts";

const stopSignal = stopRequested();
const config = loadConfig(projectorEnv, process.env);
const log = createLog("projector", config.LOG_LEVEL);

await main(log, async () => {
  const { parts } = await assemble({
    config,
    log,
    groupId: groupName(config.TRACKLOG_NAMESPACE, "projector"),
    database: config.CLICKHOUSE_DATABASE,
    deadLetters: true,
  });
  await run(parts, stopSignal, log);
});
