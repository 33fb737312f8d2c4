// npm run test:clickhouse-cluster [-- --shards N] [FILES]: runs integration tests with the history in the form that
// CLICKHOUSE_CLUSTER gives it, on an embedded ClickHouse that is a cluster of its own. The tests are the same as on
// one server, and so are the answers.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { startClusterEngine } from "./engine.ts";

const USAGE = `usage: npm run test:clickhouse-cluster [-- [--shards N] [FILES]]
  --shards N  1 (default), or more; with more, each shard sees its part of the rows
  FILES       integration tests; by default those of the history, the summaries, the projector and reconcile
`;

const FILES = ["history", "summaries", "projector", "reconcile"].map((room) => `test/integration/${room}/`);

/**
 * The first compares the names of the tables that a query reads: those of shards have another ending. The second clones
 * a history, which the repartition refuses to do on a cluster.
 */
const EXCLUDED = ["explain", "clone-history"];
/**
 * They bound the rows that a query reads. Stand-ins for shards share their tables, so each one reads the rows of all.
 */
const BOUNDED = ["corrected-tags", "rare-stays", "rows-read", "settled", "bounds", "*-of-few"];

const given = readArguments();
if (given === undefined) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const engine = await startClusterEngine(given.shards);
try {
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--project",
    "integration",
    // Queries of a cluster take longer, and the machine may be busy.
    "--testTimeout=600000",
    ...[...EXCLUDED, ...(given.shards > 1 ? BOUNDED : [])].flatMap((name) => ["--exclude", `**/${name}.test.ts`]),
    ...given.files,
  ];
  // This process must go on meanwhile: it answers the requests of the tests.
  const tests = spawn(process.execPath, args, { env: { ...process.env, ...engine.env }, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => tests.kill(signal));
  const [code] = await once(tests, "exit");
  process.exitCode = code ?? 1;
} finally {
  await engine.stop();
}

function readArguments() {
  try {
    const options = { shards: { type: "string", default: "1" } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const shards = Number(values.shards);
    if (!Number.isInteger(shards) || shards < 1) return undefined;
    return { shards, files: positionals.length > 0 ? positionals : FILES };
  } catch {
    return undefined;
  }
}
