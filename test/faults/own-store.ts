// A separate store for one test, beside the shared ones: the other tests need the shared one while this test takes it
// away.
import { rm } from "node:fs/promises";
import { onTestFinished } from "vitest";
import type { PartName } from "../../services/embedded/protocol.ts";
import { type Stores, startStores } from "../../services/embedded/stores.ts";
import { VARIABLES } from "../../services/embedded/variables.ts";
import { scratchDir } from "../support/running/scratch-dir.ts";
import { useStack } from "../support/running/stack.ts";

/** A store that lives for a minute hardly runs what the second compiler would work on. */
const ONE_COMPILER = "-XX:TieredStopAtLevel=1";

/** `env` of the result leads to the separate store, and to the shared others. */
export async function ownStore(part: PartName): Promise<Stores> {
  const dataDir = await scratchDir("tracklog-faults-");
  const { PATH, JAVA_HOME, HOME } = process.env;
  const others = Object.entries(useStack().env).filter(([name]) => !VARIABLES[part].includes(name));
  const own = { PATH, JAVA_HOME, HOME, JAVA_TOOL_OPTIONS: ONE_COMPILER };
  const stores = await startStores({ dataDir, env: { ...own, ...Object.fromEntries(others) } });
  onTestFinished(async () => {
    await stores.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return stores;
}
