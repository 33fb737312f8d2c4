// A soak takes these samples of each process and store again and again.
import { readdir, readFile, rm } from "node:fs/promises";
import { openInspector } from "../support/clients/final-state-inspector.ts";
import type { System } from "../support/running/launch-system.ts";
import { until } from "../support/running/processes.ts";
import { residentMib } from "../support/running/resident.ts";
import type { HeapFigures } from "./report-heap.ts";

/** Figures by name, e.g. `api heap MiB`. */
export type Sample = Readonly<Record<string, number>>;

export interface Sampler {
  take(): Promise<Sample>;
  close(): Promise<void>;
}

const MIB = 1024 * 1024;

/** `figuresFile`: where the services write their heap figures. */
export async function createSampler(system: System, figuresFile: string): Promise<Sampler> {
  const inspector = await openInspector(system);

  async function heaps(pids: readonly number[]): Promise<Map<number, HeapFigures>> {
    await rm(figuresFile, { force: true });
    for (const pid of pids) process.kill(pid, "SIGUSR2");
    return until(async () => {
      const lines = (await readFile(figuresFile, "utf8")).trim().split("\n");
      const figures = lines.map((line) => JSON.parse(line) as HeapFigures);
      const byPid = new Map(figures.map((each) => [each.pid, each]));
      if (byPid.size < pids.length) throw new Error(`${byPid.size} of ${pids.length} processes have answered`);
      return byPid;
    });
  }

  return {
    async take() {
      const running = system.started.filter((service) => service.running());
      const found = await heaps(running.map(({ pid }) => pid));
      const sample: Record<string, number> = {};
      for (const { name, pid } of running) {
        const { heapMib = Number.NaN, externalMib = Number.NaN, handles = Number.NaN } = found.get(pid) ?? {};
        sample[`${name} heap MiB`] = heapMib;
        sample[`${name} external MiB`] = externalMib;
        sample[`${name} resident MiB`] = await residentMib(pid);
        sample[`${name} handles`] = handles;
        sample[`${name} files`] = (await readdir(`/proc/${pid}/fd`)).length;
      }
      const info = String(await inspector.redis.call("info", "memory"));
      sample["redis MiB"] = Number(/used_memory:(\d+)/.exec(info)?.[1]) / MIB;
      sample["redis keys"] = keysIn(String(await inspector.redis.call("info", "keyspace")));
      for (const [reader, messages] of await inspector.lag()) {
        const name = `${reader.split(/[ /]/)[0]} lag`;
        sample[name] = Math.max(sample[name] ?? 0, messages);
      }
      return sample;
    },
    close: () => inspector.close(),
  };
}

/** In all databases. */
function keysIn(info: string): number {
  return [...info.matchAll(/keys=(\d+)/g)].reduce((sum, [, keys]) => sum + Number(keys), 0);
}
