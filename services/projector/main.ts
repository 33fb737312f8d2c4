import { groupName } from "../../schemas/topics.ts";
import { databaseOf } from "../common/clickhouse.ts";
import { loadConfig } from "../common/config.ts";
import { runService } from "../common/process/service.ts";
import { assembleProjector } from "./assemble.ts";
import { projectorEnv } from "./config.ts";

await runService(
  "projector",
  () => loadConfig(projectorEnv, process.env),
  ({ config, codec, log }) => {
    const groupId = groupName(config.TRACKLOG_NAMESPACE, "projector");
    return assembleProjector({ config, codec, log, groupId, database: databaseOf(config), deadLetters: true }).parts;
  },
);
