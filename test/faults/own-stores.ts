// Stores of a test's own: those of the test run are for everybody, who could not work while one of them is away.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Stores, startStores } from "../../services/embedded/stores.ts";

export async function ownStores(): Promise<Stores> {
  const dataDir = await mkdtemp(join(tmpdir(), "tracklog-faults-"));
  const { PATH, JAVA_HOME, HOME } = process.env;
  const stores = await startStores({ dataDir, env: { PATH, JAVA_HOME, HOME } });
  onTestFinished(async () => {
    await stores.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return stores;
}
