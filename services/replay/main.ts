import { constants, setPriority } from "node:os";
import { loadConfig } from "../common/config.ts";
import { runService } from "../common/process/service.ts";
import { assembleReplay } from "./assemble.ts";
import { replayEnv } from "./config.ts";

// Live processing has priority over replays.
setPriority(constants.priority.PRIORITY_LOW);
await runService("replay", () => loadConfig(replayEnv, process.env), assembleReplay);
