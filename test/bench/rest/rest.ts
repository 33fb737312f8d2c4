// `npm start` on prepared stores: how long it takes, and the cost of each process while nothing happens. Then the same
// cost with many cameras, zones and subscriptions, none of which has anything to do.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parameter } from "../config.ts";
import type { Comparison } from "../measure.ts";
import { fill } from "./fill.ts";
import { type Installation, startInstallation } from "./installation.ts";
import { processesOf, type Usage, usageOf } from "./usage.ts";

const SERVICES = new Set(["api", "projector", "replay", "state-api", "state-machine", "webhooks"]);
/** `npm start` itself has no work while all is well. */
const LAUNCHER = new Set(["launcher", "guard"]);

const size = {
  cameras: parameter("BENCH_REST_CAMERAS", 1_000),
  zones: parameter("BENCH_REST_ZONES", 10_000),
  subscriptions: parameter("BENCH_REST_SUBSCRIPTIONS", 1_000),
};

export async function benchRest(): Promise<Comparison[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "tracklog-rest-"));
  try {
    // The first start fetches nothing new, but prepares topics, tables and compiled modules.
    await (await startInstallation(dataDir)).stop();
    const installation = await startInstallation(dataDir);
    try {
      return await measure(installation);
    } finally {
      await installation.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(installation: Installation): Promise<Comparison[]> {
  const started = [
    row("first answer", "s", installation.firstAnswerS, "<= 8 s"),
    row("all has started", "s", installation.startedS, ""),
  ];
  const empty = await atRest(installation, "empty");
  await fill(installation, size);
  const filled = await atRest(installation, "filled");
  return [...started, ...rowsOf("empty", empty, { ms: "<= 30", mib: "<= 110" }), ...rowsOf("filled", filled)];
}

/** Waits until compilers, compactions and collections have settled. */
async function atRest({ pid }: Installation, title: string): Promise<readonly Usage[]> {
  await delay(parameter("BENCH_REST_SETTLE_SECONDS", 120) * 1_000);
  const usages = await usageOf(await processesOf(pid), parameter("BENCH_REST_SECONDS", 60));
  const lines = usages.map(({ name, msPerSecond, wakesPerSecond, residentMib, ownMib }) =>
    [name, msPerSecond.toFixed(2), Math.round(wakesPerSecond), Math.round(residentMib), Math.round(ownMib)].join(" | "),
  );
  process.stderr.write(
    `  ${title}: process | ms/s | wakes/s | resident MiB | own MiB\n${lines.map((l) => `  | ${l} |\n`).join("")}`,
  );
  return usages;
}

function rowsOf(title: string, usages: readonly Usage[], goals: { ms?: string; mib?: string } = {}): Comparison[] {
  const working = usages.filter(({ name }) => !LAUNCHER.has(name));
  const all = working.reduce((sum, { msPerSecond }) => sum + msPerSecond, 0);
  const services = usages.filter(({ name }) => SERVICES.has(name));
  return [
    row(`${title}, processor time`, "ms/s", all, goals.ms ?? ""),
    ...services.map(({ name, residentMib }) => row(`${title}, ${name}`, "MiB", residentMib, goals.mib ?? "")),
  ];
}

const row = (name: string, unit: string, ours: number, goal: string): Comparison => ({
  ...{ name: `rest, ${name}`, unit, ours, goal },
  baseline: Number.NaN,
  ratio: Number.NaN,
});
