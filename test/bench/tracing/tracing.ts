// Cost of tracing at the API: createDetections with one detection per mutation, as in `ingest`, to three processes in
// turns: without tracing, with 1 % of the requests recorded, and with all of them. Compared is the processor time of a
// mutation, which other load on the machine changes less than the number of mutations in a second.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { freePort } from "../../../services/embedded/tools/free-port.ts";
import { prepareSystem } from "../../support/running/launch-system.ts";
import { runLoad } from "../../support/running/load-process.ts";
import { type ServiceProcess, startService } from "../../support/running/processes.ts";
import { processorSeconds } from "../../support/running/processor-time.ts";
import { parameter } from "../config.ts";
import type { HttpLoad, HttpLoadResult } from "../http-load.ts";
import { bodiesOf, createTracks } from "../ingest/ingest.ts";
import { type Comparison, compareAll } from "../measure.ts";
import type { BenchStack } from "../stack.ts";

const CONNECTIONS = 128;
const ROUND_MS = 3_000;
/** On a busy machine writes may wait for longer than the API allows by default. */
const UNHURRIED_WRITES = { API_QUEUE_MS: "10000" };

export async function benchTracing(stack: BenchStack): Promise<Comparison[]> {
  const collector = await startSink();
  const system = await prepareSystem(stack.env, `bench_${Date.now()}`, UNHURRIED_WRITES);
  const started: ServiceProcess[] = [];
  const start = async (port: number, settings: Readonly<Record<string, string>> = {}) => {
    const service = await startService("api", { ...system.env, API_PORT: String(port), ...settings });
    started.push(service);
    return { port, pid: service.pid };
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
    const load = async ({ port, pid }: typeof off) => {
      const given = { port, path: "/graphql", headers, bodies, connections: CONNECTIONS, durationMs: ROUND_MS };
      const before = await processorSeconds(pid);
      const answers = await answersTo(given);
      return (1e6 * ((await processorSeconds(pid)) - before)) / answers;
    };
    const figure = (name: string, goal: string) => ({ name: `ingest, ${name}`, unit: "us of processor", goal });
    return await compareAll({
      rounds: parameter("BENCH_TRACING_ROUNDS", 5),
      figures: { some: figure("1 % traced", "<= 1.03"), all: figure("all traced", "none") },
      ours: async () => ({ some: await load(some), all: await load(all) }),
      baseline: async () => {
        const alone = await load(off);
        return { some: alone, all: alone };
      },
    });
  } finally {
    await Promise.all(started.map((service) => service.stop()));
    collector.close();
  }
}

/** Rejects when an answer was an error. */
async function answersTo(load: HttpLoad): Promise<number> {
  const result = await runLoad<HttpLoadResult>(new URL("../http-load.ts", import.meta.url), load);
  if (result.failure !== undefined) throw new Error(`the load met an error: ${result.failure}`);
  return result.answers;
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
