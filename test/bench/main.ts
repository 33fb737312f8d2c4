// npm run bench [-- NAME ...]: prints a table; a benchmark has no pass or fail.
import { benchBacklog } from "./backlog/backlog.ts";
import { benchBounds } from "./bounds/bounds.ts";
import { benchBulk } from "./bulk/bulk.ts";
import { benchChronicles } from "./chronicles/chronicles.ts";
import { benchConsole } from "./console/console.ts";
import { benchDirect } from "./direct/direct.ts";
import { benchFairness } from "./fairness/fairness.ts";
import { benchFanOut } from "./fan-out/fan-out.ts";
import { benchFlood } from "./flood/flood.ts";
import { benchGrowth } from "./growth/growth.ts";
import { benchIngest } from "./ingest/ingest.ts";
import { benchLatency } from "./latency/latency.ts";
import { benchLive } from "./live/live.ts";
import { type Comparison, table } from "./measure.ts";
import { benchMemory } from "./memory/memory.ts";
import { benchPath } from "./path/path.ts";
import { benchProjector } from "./projector/projector.ts";
import { benchQuery } from "./query/query.ts";
import { benchReplays } from "./replays/replays.ts";
import { benchRest } from "./rest/rest.ts";
import { benchRounds } from "./rounds/rounds.ts";
import { type BenchStack, startBenchStack } from "./stack.ts";
import { benchStateMachine } from "./state-machine/state-machine.ts";
import { benchSummary } from "./summary/summary.ts";
import { benchTracing } from "./tracing/tracing.ts";
import { benchTrial } from "./trial/trial.ts";
import { benchWebhooks } from "./webhooks/webhooks.ts";

const benches: Readonly<Record<string, (stack: BenchStack) => Promise<Comparison[]>>> = {
  path: benchPath,
  ingest: benchIngest,
  tracing: benchTracing,
  direct: benchDirect,
  "state-machine": benchStateMachine,
  rounds: benchRounds,
  backlog: benchBacklog,
  projector: benchProjector,
  query: benchQuery,
  summary: benchSummary,
  trial: benchTrial,
  "fan-out": benchFanOut,
  fairness: benchFairness,
  latency: benchLatency,
  live: benchLive,
  replays: benchReplays,
  memory: benchMemory,
  flood: benchFlood,
  bounds: benchBounds,
  bulk: benchBulk,
  chronicles: benchChronicles,
  growth: benchGrowth,
  webhooks: benchWebhooks,
  console: benchConsole,
  rest: benchRest,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => benches[name] === undefined);
if (unknown.length > 0)
  throw new Error(`no benchmark ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}`);

const stack = await startBenchStack();
const results: Comparison[] = [];
try {
  for (const [name, bench] of Object.entries(benches)) {
    if (names.length > 0 && !names.includes(name)) continue;
    process.stderr.write(`${name}\n`);
    results.push(...(await bench(stack)));
  }
} finally {
  await stack.stop();
}
process.stdout.write(`${table(results)}\n`);
process.exit();
