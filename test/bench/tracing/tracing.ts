// Cost of tracing at the API: createDetections with one detection per mutation, as in `ingest`, to three processes in
// turns: without tracing, with 1 % of the requests recorded, and with all of them.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import { prepareSystem } from "../../support/running/launch-system.ts";
import { type ServiceProcess, startService } from "../../support/running/processes.ts";
import { parameter } from "../config.ts";
import { bodiesOf, createTracks } from "../ingest/ingest.ts";
import { type Comparison, compareAll } from "../measure.ts";
import { httpLoad } from "../processes.ts";
import type { BenchStack } from "../stack.ts";

const CONNECTIONS = 128;
const ROUND_MS = 3_000;

export async function benchTracing(stack: BenchStack): Promise<Comparison[]> {
  const collector = await startSink();
  const system = await prepareSystem(stack.env, `bench_${Date.now()}`);
  const started: ServiceProcess[] = [];
  const start = async (port: number, settings: Readonly<Record<string, string>> = {}): Promise<number> => {
    started.push(await startService("api", { ...system.env, API_PORT: String(port), ...settings }));
    return port;
  };
  const traced = async (share: string) =>
    start(await freePort(), {
      OTEL_TRACES_EXPORTER: "otlp",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: share,
    });
  try {
    const off = await start(Number(new URL(system.url).port));
    const [some, all] = [await traced("0.01"), await traced("1")];
    const bodies = bodiesOf(await createTracks(system.client), 1);
    const headers = { "x-token-id": system.token.id, "x-token-value": system.token.value };
    const load = (port: number) =>
      httpLoad({ port, path: "/graphql", headers, bodies, connections: CONNECTIONS, durationMs: ROUND_MS });
    const figure = (name: string, goal: string) => ({ name: `ingest, ${name}`, unit: "detections/s", goal });
    return await compareAll({
      rounds: parameter("BENCH_TRACING_ROUNDS", 5),
      figures: { some: figure("1 % traced", ">= 0.97"), all: figure("all traced", "none") },
      ours: async () => ({ some: await load(some), all: await load(all) }),
      baseline: async () => {
        const answers = await load(off);
        return { some: answers, all: answers };
      },
    });
  } finally {
    await Promise.all(started.map((service) => service.stop()));
    collector.close();
  }
}

/** A collector that takes everything and looks at nothing. */
async function startSink() {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(200, { "content-type": "application/json" }).end("{}"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
