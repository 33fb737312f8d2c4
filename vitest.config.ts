import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/running/file-order.ts";

/** Node keeps compiled modules there, as for the services that tests start. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL(".tracklog/cache/compiled", import.meta.url));

const level = (name: string, order: number, timeoutMs: number, stack: boolean, extent?: "short" | "full") => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    pool: "forks" as const,
    // Pure computation leaves nothing behind, and a worker per file costs a second each.
    isolate: stack,
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    // A machine that others keep busy may be slow; a fact that never comes fails all the same.
    expect: { poll: { timeout: 20_000 } },
    env: { NODE_COMPILE_CACHE },
    // Node runs the modules itself, as it does in production: they load and compute faster than those that Vite rewrites.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    maxWorkers: 4,
    // What fails fast is seen first. The levels with stores share the workers: files that compute run beside others that
    // wait for processes and time-outs.
    sequence: { groupOrder: order },
    ...(extent === undefined ? {} : { provide: { extent } }),
    ...(stack ? { globalSetup: ["test/support/running/stack-setup.ts"] } : {}),
  },
});

export default defineConfig(({ mode }) => ({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      level("unit", 0, 20_000, false),
      level("contract", 1, 60_000, false),
      level("integration", 2, 120_000, true),
      level("e2e", 2, 300_000, true),
      level("faults", 2, 900_000, true, mode === "full" ? "full" : "short"),
    ],
  },
}));
