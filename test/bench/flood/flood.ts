// Ten times as many detections as the API can take: the times of the accepted ones, the memory of the API, and the time
// until it serves as before. The baseline is the same API at half of its top rate.

import { prepareSystem } from "../../support/running/launch-system.ts";
import { startService } from "../../support/running/processes.ts";
import { residentMib, watchResident } from "../../support/running/resident.ts";
import { type FloodResult, flood } from "../../support/scenes/flood.ts";
import { bodiesOf, createTracks } from "../ingest/ingest.ts";
import { type Comparison, quantile } from "../measure.ts";
import { httpLoad } from "../processes.ts";
import type { BenchStack } from "../stack.ts";

const PER_MUTATION = 100;
const CONNECTIONS = 128;
const FLOOD_CONNECTIONS = 1_000;
const MEASURE_MS = 4_000;
const FLOOD_MS = 15_000;
const AFTER_MS = 500;
const CALM_P99_MS = 100;

export async function benchFlood(stack: BenchStack): Promise<Comparison[]> {
  const system = await prepareSystem(stack.env, `bench_${Date.now()}`);
  const api = await startService("api", system.env);
  try {
    const bodies = bodiesOf(await createTracks(system.client), PER_MUTATION);
    const headers = { "x-token-id": system.token.id, "x-token-value": system.token.value };
    const target = { port: Number(new URL(system.url).port), path: "/graphql", headers, bodies };
    const atPace = (requestsPerSecond: number, durationMs: number) =>
      flood({ ...target, requestsPerSecond, durationMs, connections: FLOOD_CONNECTIONS });

    await httpLoad({ ...target, connections: CONNECTIONS, durationMs: MEASURE_MS });
    const sustainable = await httpLoad({ ...target, connections: CONNECTIONS, durationMs: MEASURE_MS });
    const calm = await atPace(sustainable / 2, MEASURE_MS);
    const calmMib = await residentMib(api.pid);
    const memory = watchResident(api.pid);
    const flooded = await atPace(sustainable * 10, FLOOD_MS);
    const endedAt = performance.now();
    let recoveredAt = performance.now();
    for (;;) {
      recoveredAt = performance.now();
      const after = await atPace(sustainable / 2, AFTER_MS);
      if (after.refused === 0 && quantile(after.acceptedMs, 0.99) < CALM_P99_MS) break;
    }
    const mostMib = await memory.stop();
    print("calm", calm);
    print("flooded", flooded);
    const row = (name: string, unit: string, ours: number, baseline: number, goal: string): Comparison => ({
      name: `flood, ${name}`,
      unit,
      ours,
      baseline,
      ratio: ours / baseline,
      goal,
    });
    const accepted = (flooded.acceptedMs.length * PER_MUTATION) / (FLOOD_MS / 1_000);
    return [
      row(
        "asked for",
        "detections/s",
        (flooded.sent * PER_MUTATION) / (FLOOD_MS / 1_000),
        sustainable * PER_MUTATION,
        "",
      ),
      row("accepted", "detections/s", accepted, sustainable * PER_MUTATION, ""),
      row("p50 of accepted", "ms", quantile(flooded.acceptedMs, 0.5), quantile(calm.acceptedMs, 0.5), ""),
      row("p99 of accepted", "ms", quantile(flooded.acceptedMs, 0.99), quantile(calm.acceptedMs, 0.99), "<= 1 000 ms"),
      row("most resident memory", "MiB", mostMib, calmMib, "bounded"),
      row("served as before after", "ms", recoveredAt - endedAt, Number.NaN, "<= 5 000 ms"),
    ];
  } finally {
    await api.stop();
  }
}

function print(name: string, { sent, acceptedMs, refused, otherCount, others }: FloodResult): void {
  const text = `${sent} sent, ${acceptedMs.length} accepted, ${refused} refused, ${otherCount} others`;
  process.stderr.write(`  flood ${name}: ${text} ${others.join(" ")}\n`);
}
