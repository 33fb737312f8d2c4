import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const level = (name: string, order: number, timeoutMs: number, stack: boolean, extent?: "short" | "full") => ({
  // As Node resolves it; Vite would give our code the other copy in that package than mercurius gets.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(import.meta.resolve("graphql")) }] },
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    pool: "forks" as const,
    // Pure computation leaves nothing behind, and a worker per file costs a second each.
    isolate: stack,
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    // Real stores are shared by all files of a run; two cores bear two files beside them. Faults mostly wait for time-outs.
    maxWorkers: name === "faults" ? 3 : stack ? 2 : 4,
    // One level after the other: what fails fast is seen first, and the stores are not shared with pure computation.
    sequence: { groupOrder: order },
    ...(extent === undefined ? {} : { provide: { extent } }),
    ...(stack ? { globalSetup: ["test/support/stack-setup.ts"] } : {}),
  },
});

export default defineConfig(({ mode }) => ({
  test: {
    projects: [
      level("unit", 0, 20_000, false),
      level("contract", 1, 60_000, false),
      level("integration", 2, 120_000, true),
      level("e2e", 3, 300_000, true),
      level("faults", 4, 900_000, true, mode === "full" ? "full" : "short"),
    ],
  },
}));
