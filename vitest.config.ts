import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/running/file-order.ts";

/** Node keeps compiled modules there, as for the services that tests start. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL(".tracklog/cache/compiled", import.meta.url));

interface Level {
  readonly order: number;
  readonly timeoutMs: number;
  readonly stack: boolean;
  readonly extent: "short" | "full";
}

const level = (name: string, { order, timeoutMs, stack, extent }: Level) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    pool: "forks" as const,
    // A process per file costs more than a second of processor time each. Every file leaves its process as it found it.
    isolate: false,
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    // A machine that others keep busy may be slow; a fact that never comes fails all the same.
    expect: { poll: { timeout: 20_000 } },
    env: { NODE_COMPILE_CACHE },
    // Node runs the modules itself, as it does in production: they load and compute faster than those that Vite rewrites.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // More than cores: files with stores wait for processes and time-outs now and then.
    maxWorkers: stack ? 5 : 3,
    // Levels that fail fast run first. The levels with stores share the workers, so that none waits for the last file of
    // another level.
    sequence: { groupOrder: order },
    provide: { extent },
    ...(stack
      ? { globalSetup: ["test/support/running/stack-setup.ts"], setupFiles: ["test/support/running/file-setup.ts"] }
      : {}),
  },
});

export default defineConfig(({ mode }) => {
  const extent = mode === "full" ? "full" : "short";
  return {
    test: {
      sequence: { sequencer: LongestFirst },
      projects: [
        level("unit", { order: 0, timeoutMs: 20_000, stack: false, extent }),
        level("contract", { order: 1, timeoutMs: 60_000, stack: false, extent }),
        level("integration", { order: 2, timeoutMs: 120_000, stack: true, extent }),
        level("e2e", { order: 2, timeoutMs: 300_000, stack: true, extent }),
        level("faults", { order: 2, timeoutMs: 900_000, stack: true, extent }),
      ],
    },
  };
});
