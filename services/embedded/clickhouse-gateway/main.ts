// The ClickHouse engine behind the HTTP interface of a ClickHouse server, in a process of its own: a crash or exhausted
// memory stops no service, and an aborted query can be killed.
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { LOOPBACK } from "../tools/free-port.ts";
import { openEngine } from "./engine.ts";
import { engineConfig } from "./engine-config.ts";
import { gatewayOptions } from "./options.ts";
import { createGateway } from "./server.ts";

const DRAIN_MS = 1_500;

// The engine's threads inherit this priority: on a shared machine the history gives way to live processing.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const [message] = await once(process, "message");
const options = gatewayOptions.parse(message);

const configFile = join(options.dataDir, "config.xml");
const spoolDir = join(options.dataDir, "spool");
// Files that a killed gateway left in this directory belong to requests that were never acknowledged.
rmSync(spoolDir, { recursive: true, force: true });
mkdirSync(spoolDir, { recursive: true });
writeFileSync(configFile, engineConfig(options.maxMemoryBytes, options.moreConfig));

const engine = openEngine(join(options.dataDir, "data"), configFile);
const gateway = createGateway({ engine, spoolDir }, options);

let leaving = false;
async function leave(): Promise<void> {
  if (leaving) return;
  leaving = true;
  await gateway.close(DRAIN_MS);
  engine.close();
  process.exit(0);
}
process.on("SIGTERM", () => void leave());
process.on("disconnect", () => void leave());
process.on("SIGINT", () => {});

gateway.server.listen(options.port, LOOPBACK);
