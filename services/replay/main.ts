import { constants, setPriority } from "node:os";
import { loadConfig } from "../common/config.ts";
import { runService } from "../common/service.ts";
import { assemble } from "./assemble.ts";
import { replayEnv } from "./config.ts";

// What is recorded now goes before what is replayed.
setPriority(constants.priority.PRIORITY_LOW);
await runService("replay", () => loadConfig(replayEnv, process.env), assemble);
