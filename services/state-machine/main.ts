import { setFlagsFromString } from "node:v8";
import { loadConfig } from "../common/config.ts";
import { runService } from "../common/process/service.ts";
import { assembleStateMachine } from "./assemble.ts";
import { stateMachineEnv } from "./config.ts";

// V8 puts the objects of a place in the code among the old ones at once when many of them have survived a collection.
// In one of six processes behind a log it did so with parts of decoded detections. These then kept the rest alive until
// a full collection: a detection took a quarter more processor time, and pauses were four times as long.
setFlagsFromString("--no-allocation-site-pretenuring");

await runService("state-machine", () => loadConfig(stateMachineEnv, process.env), assembleStateMachine);
