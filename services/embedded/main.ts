// npm start: a whole tracklog on one machine, without containers.
import { ConfigError, loadConfig } from "../common/config.ts";
import { run, stopRequested } from "../common/lifecycle.ts";
import { createLog } from "../common/log.ts";
import { launcherEnv } from "./config.ts";
import { createLauncher } from "./launch.ts";
import { EmbeddedError } from "./tools/errors.ts";

const stopSignal = stopRequested();
const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

try {
  const config = loadConfig(launcherEnv, process.env);
  await run(createLauncher({ config, env: process.env, print }), stopSignal, createLog("launcher", "error"));
  print("Stopped.");
  process.exit(0);
} catch (error) {
  if (!(error instanceof EmbeddedError || error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
