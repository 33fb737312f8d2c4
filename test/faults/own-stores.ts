// Separate stores for one test: the other tests need the shared stores while this one takes a store away.
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
