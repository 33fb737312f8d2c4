// A state machine in a process of its own, so that its heap can be bounded. Its argument is the camera-log's name on
// the broker. It sends "started", and then each second the megabytes that its heap holds.
import { loadConfig } from "../../../services/common/config.ts";
import { run } from "../../../services/common/lifecycle.ts";
import { createCodec } from "../../../services/common/registry/codec.ts";
import { assembleStateMachine } from "../../../services/state-machine/assemble.ts";
import { stateMachineEnv } from "../../../services/state-machine/config.ts";
import { log } from "../camera-log.ts";

const SAMPLE_MS = 1_000;

const config = loadConfig(stateMachineEnv, process.env as Record<string, string>);
const codec = await createCodec(config);
process.send?.("started");
setInterval(() => process.send?.(Math.round(process.memoryUsage().heapUsed / 1024 / 1024)), SAMPLE_MS);
const stop = new Promise<void>((resolve) => process.once("SIGTERM", () => resolve()));
await run(assembleStateMachine({ config, codec, log, cameraLog: process.argv[2] ?? "" }), stop, log);
process.exit();
