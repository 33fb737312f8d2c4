// npm run test:monitoring [-- --seconds N] [--keep]: a real Prometheus scrapes every process of a system under a mixed
// load. It must reach all of them, evaluate all alerts, and know every metric that the dashboard shows. The variable
// PROMETHEUS names the program when it is not on the path.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startBenchStack } from "../bench/stack.ts";
import { startSoakLoad } from "../soak/load.ts";
import { launchSystem } from "../support/running/launch-system.ts";
import { startStateApi } from "../support/running/state-api.ts";
import { type Prometheus, startPrometheus } from "./prometheus.ts";

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "90" }, keep: { type: "boolean", default: false } },
});
const seconds = Number(values.seconds);
if (!(seconds >= 30)) {
  process.stderr.write("usage: npm run test:monitoring -- [--seconds N, at least 30] [--keep]\n");
  process.exit(2);
}

const scratch = await mkdtemp(join(tmpdir(), "tracklog-monitoring-"));
const stack = await startBenchStack();
try {
  const settings = { TRACK_TTL: "5", ALLOWED_URL_CIDRS: "127.0.0.0/8" };
  const { system, stop } = await launchSystem(stack.env, `monitoring_${Date.now()}`, settings);
  try {
    const [restUrl] = await Promise.all([startStateApi(system), system.start("webhooks"), system.start("replay")]);
    const load = await startSoakLoad(system, restUrl);
    const prometheus = await startPrometheus(
      scratch,
      system.started.map(({ opsPort }) => opsPort),
    );
    await delay(seconds * 1_000);
    process.exitCode = (await judge(prometheus)) ? 0 : 1;
    if (values.keep) await keepOpen(prometheus.url);
    await prometheus.stop();
    await load.stop();
  } finally {
    await stop();
  }
} finally {
  await stack.stop();
  await rm(scratch, { recursive: true, force: true });
}
process.exit();

async function judge(prometheus: Prometheus): Promise<boolean> {
  const faults = [...(await prometheus.faults()), ...(await faultsOfDashboard(prometheus))];
  for (const fault of faults) process.stdout.write(`wrong: ${fault}\n`);
  process.stdout.write(`${JSON.stringify({ seconds, firing: await prometheus.firing(), faults: faults.length })}\n`);
  return faults.length === 0;
}

/** Prints how many series each expression has. A counter of what never happened has none. */
async function faultsOfDashboard(prometheus: Prometheus): Promise<string[]> {
  const file = fileURLToPath(new URL("../../k8s/monitoring/dashboard.json", import.meta.url));
  const { panels } = JSON.parse(await readFile(file, "utf8")) as Dashboard;
  const known = await prometheus.metrics();
  const faults: string[] = [];
  for (const { title, targets = [] } of panels) {
    for (const { expr } of targets) {
      const series = await prometheus.seriesOf(expr.replaceAll("$__rate_interval", "30s"));
      process.stdout.write(`${String(series).padStart(4)} series  ${title}: ${expr}\n`);
      const unknown = metricsIn(expr).filter((name) => !known.has(name));
      if (unknown.length > 0) faults.push(`no process has ${unknown.join(", ")} (${title})`);
    }
  }
  return faults;
}

function metricsIn(expr: string): string[] {
  const names = expr.matchAll(/\b(?:tracklog|nodejs|process)_\w+/g);
  return [...names].map(([name]) => name.replace(/_(bucket|sum|count)$/, ""));
}

async function keepOpen(url: string): Promise<void> {
  process.stdout.write(`Prometheus is at ${url} until Ctrl-C\n`);
  await new Promise((resolve) => process.once("SIGINT", resolve));
}
