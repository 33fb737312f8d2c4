// The stores of a benchmark run: those of the environment, else embedded ones in a separate directory.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStores } from "../../services/embedded/stores.ts";
import { processorSeconds } from "../support/running/processor-time.ts";

export interface BenchStack {
  readonly env: Readonly<Record<string, string>>;
  /** Processes of the stores that the run has started. */
  pids(): Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

/** Processor time of ClickHouse so far, in seconds; NaN when the run has not started it. */
export async function clickhouseSeconds({ pids }: BenchStack): Promise<number> {
  const { clickhouse } = pids();
  return clickhouse === undefined ? Number.NaN : processorSeconds(clickhouse);
}

export async function startBenchStack(): Promise<BenchStack> {
  const dataDir = await mkdtemp(join(tmpdir(), "tracklog-bench-"));
  const stores = await startStores({ dataDir, env: process.env });
  return {
    env: stores.env,
    pids: stores.pids,
    stop: async () => {
      await stores.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
