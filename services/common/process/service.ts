// The life of every service that works on the log: it answers probes, waits for the registry, refuses topics that
// cannot hold its promises, and then runs its parts until the stop signal.
import { setFlagsFromString } from "node:v8";
import type { Codec } from "../../../schemas/codec.ts";
import { topicName, topicsOf } from "../../../schemas/topics.ts";
import { TRACE_PARENT } from "../../../schemas/trace-parent.ts";
import { orExit, type ServiceConfig } from "../config.ts";
import { createKafka } from "../kafka/client.ts";
import { keepHeaders } from "../kafka/internals/decode-record.ts";
import { settingsCheck } from "../kafka/read/settings-check.ts";
import { topicsCheck } from "../kafka/write/provision.ts";
import { main, type Part, run, stopRequested } from "../lifecycle.ts";
import { createLog, type Log } from "../log.ts";
import { collectProcessMetrics } from "../metrics/define.ts";
import { awaitCodec } from "../registry/await-codec.ts";
import { registryCheck } from "../registry/registry-check.ts";
import type { TracingConfig } from "../tracing/config.ts";
import { startTracing } from "../tracing/start-tracing.ts";
import { tracing } from "../tracing/tracing.ts";
import { idleMemory } from "./idle-memory.ts";
import { createOpsServer } from "./ops-server.ts";

export interface Assembling<Config> {
  readonly config: Config;
  readonly codec: Codec;
  readonly log: Log;
}

type Assemble<Config> = (given: Assembling<Config>) => readonly Part[] | Promise<readonly Part[]>;

/**
 * The whole body of a main.ts; resolves when the service has stopped. `assemble` returns the parts in starting order.
 */
export async function runService<Config extends ServiceConfig & TracingConfig>(
  name: string,
  load: () => Config,
  assemble: Assemble<Config>,
): Promise<void> {
  // Turns V8's parallel collection of young objects off, because it waits for helper threads: on a few busy cores this
  // takes longer than the collection itself.
  setFlagsFromString("--no-parallel-scavenge");
  // V8 makes objects of some places old from the start when it has seen several of them survive, such as the contexts
  // of the first operations, or parts of decoded detections behind a log. Each later one then stays, with all that
  // belongs to its request or message, until the old objects are collected.
  if (SHORT_LIVED.has(name)) setFlagsFromString("--no-allocation-site-pretenuring");
  const stopSignal = stopRequested();
  const config = await orExit(load);
  const { log, tracingParts } = await logAndTraces(name, config);
  collectProcessMetrics(name);
  const ops = createOpsServer({ host: config.OPS_HOST, port: config.OPS_PORT, log });
  await main(log, async () => {
    // Probes come first: a service that waits for the registry is alive.
    await ops.start();
    try {
      const onWait = (failure: object) => log.warn(failure, "waiting for the schema registry");
      const codec = await awaitCodec({ registry: config, stopSignal, onWait });
      if (codec === undefined) return;
      const parts = await assemble({ config, codec, log });
      const checks = [topicsPart(name, config, log), registryPart(name, config, codec, log)];
      // The group of the state machines compares their settings itself.
      if (name !== "state-machine") checks.push(settingsPart(name, config, log));
      await run([...tracingParts, ...checks, ...parts, idleMemory(log), ops.readiness], stopSignal, log);
    } finally {
      await ops.stop();
    }
  });
}

/** Services whose objects are needed only until a request is answered or a message is folded. */
const SHORT_LIVED: ReadonlySet<string> = new Set(["api", "state-api", "state-machine"]);

/** The parts of tracing stop last, so that they can send the spans of all others. */
async function logAndTraces(name: string, config: ServiceConfig & TracingConfig) {
  if (config.OTEL_TRACES_EXPORTER === "none") return { log: createLog(name, config.LOG_LEVEL), tracingParts: [] };
  const log = createLog(name, config.LOG_LEVEL, () => tracing?.logFields() ?? {});
  const part = await orExit(() => startTracing(name, config, log));
  keepHeaders([TRACE_PARENT]);
  return { log, tracingParts: [part] };
}

/** Services that derive results from the log, which must equal those of the state machines and of each other. */
const FOLDING: ReadonlySet<string> = new Set(["api", "projector", "replay"]);

/** They follow a namespace while it is filled; the others wait until it is open. */
const FILLED_WHILE_WORKING: ReadonlySet<string> = new Set(["state-machine", "projector"]);

function topicsPart(name: string, config: ServiceConfig, log: Log): Part {
  const { TRACKLOG_NAMESPACE: namespace, TOPIC_REPLICATION_FACTOR: replicationFactor } = config;
  const wanted = topicsOf(namespace, config.CAMERA_PARTITIONS, config.CAMERA_LOG_RETENTION_MS);
  const deliveries = topicName(namespace, "webhook-deliveries");
  // This topic is filled until webhooks of the other namespace has stopped.
  const others = wanted.filter((topic) => name === "webhooks" || topic.name !== deliveries);
  const waitsFor = new Set(FILLED_WHILE_WORKING.has(name) ? [] : others.map((topic) => topic.name));
  return topicsCheck(createKafka(`tracklog-${name}`, config, log), { wanted, replicationFactor, waitsFor, log });
}

const settingsPart = (name: string, config: ServiceConfig, log: Log): Part =>
  settingsCheck({
    kafka: createKafka(`tracklog-${name}`, config, log),
    namespace: config.TRACKLOG_NAMESPACE,
    config,
    isFolding: FOLDING.has(name),
    sessionTimeoutMs: config.KAFKA_SESSION_TIMEOUT_MS,
    log,
  });

const registryPart = (name: string, config: ServiceConfig, codec: Codec, log: Log): Part =>
  registryCheck({
    kafka: createKafka(`tracklog-${name}`, config, log),
    codec,
    log,
    topic: topicName(config.TRACKLOG_NAMESPACE, "catalog"),
  });
