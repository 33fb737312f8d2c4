// Child of the launcher that owns the store processes. It stops them in order on request, and also when the launcher
// has ended in any way, which it notices by the closed IPC channel.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { announceStores, withdrawStores } from "./announce.ts";
import { endLeftovers, noteProcess } from "./leftovers.ts";
import { prepareClickHouse } from "./parts/clickhouse.ts";
import { prepareKafka } from "./parts/kafka.ts";
import type { PartContext, Prepare } from "./parts/part.ts";
import { prepareRedis } from "./parts/redis.ts";
import { prepareRegistry } from "./parts/registry.ts";
import { type FromGuard, type GuardOptions, type PartName, type ToGuard, toGuard } from "./protocol.ts";
import { lockDir, preparePrivateDir } from "./tools/data-dir.ts";
import { EmbeddedError } from "./tools/errors.ts";
import { findJava, type Java } from "./tools/java.ts";
import { type Supervised, supervise } from "./tools/supervised.ts";

const prepare: Readonly<Record<PartName, Prepare>> = {
  kafka: prepareKafka,
  registry: prepareRegistry,
  redis: prepareRedis,
  clickhouse: prepareClickHouse,
};

const CLEAN_UP_MS = 1_000;
const STOP_ORDER: readonly PartName[] = ["clickhouse", "registry", "kafka", "redis"];

/** Must stay referenced, because the lock is released when the object behind it is collected. */
let unlock = (): void => {};
let withdraw = async (): Promise<void> => {};
const stores = new Map<PartName, Supervised>();
const aborted = new AbortController();
const starts: Promise<Readonly<Record<string, string>>>[] = [];

/** Resolves when the message is sent, or when no launcher is left to receive it. */
function send(message: FromGuard): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (process.connected) process.send?.(message, () => resolve());
  else resolve();
  return promise;
}

async function startAll(options: GuardOptions): Promise<void> {
  await preparePrivateDir(options.dataDir);
  unlock = lockDir(options.dataDir);
  withdraw = () => withdrawStores(options.dataDir);
  // A guard that was killed has left its file, whose addresses are no longer valid.
  await withdraw();
  const processDir = join(options.dataDir, "processes");
  await endLeftovers(processDir, options.env);
  const logDir = join(options.dataDir, "logs");
  mkdirSync(logDir, { recursive: true });
  let java: Promise<Java> | undefined;
  const context: PartContext = {
    ...options,
    logDir,
    signal: aborted.signal,
    onProgress: (text) => send({ type: "progress", text }),
    java: () => {
      java ??= findJava(options.env, aborted.signal);
      return java;
    },
  };
  const onPid = (part: PartName, pid: number | null) => {
    void send({ type: "pid", part, pid });
    void noteProcess(processDir, part, pid, options.env).catch(() => {});
  };
  starts.push(...options.parts.map((part) => startPart(part, context, onPid)));
  const envs = await Promise.all(starts);
  aborted.signal.throwIfAborted();
  const env: Record<string, string> = Object.assign({}, ...envs);
  await announceStores(options.dataDir, options.env, env);
  send({ type: "ready", env });
}

async function startPart(
  part: PartName,
  context: PartContext,
  onPid: (part: PartName, pid: number | null) => void,
): Promise<Readonly<Record<string, string>>> {
  const { spec, env } = await prepare[part](context);
  aborted.signal.throwIfAborted();
  const store = supervise(spec, (pid) => onPid(part, pid));
  stores.set(part, store);
  await store.start();
  context.onProgress(`${spec.title} is up`);
  return env;
}

/** Stops the stores. A process that uses a store ends before the store. */
async function stopAll(): Promise<void> {
  aborted.abort();
  await withdraw().catch(() => {});
  for (const part of STOP_ORDER) await stores.get(part)?.stop();
  // An interrupted start removes its half-finished files.
  await Promise.race([Promise.allSettled(starts), delay(CLEAN_UP_MS)]);
  unlock();
}

async function handle(message: ToGuard): Promise<void> {
  if (message.type === "start") return startAll(message.options).catch(fail);
  const store = stores.get(message.part);
  const action = message.type === "halt" ? store?.halt() : store?.start();
  const error = await Promise.resolve(action).then(
    () => null,
    (reason: unknown) => String(reason),
  );
  send({ type: "done", id: message.id, error });
}

async function fail(error: unknown): Promise<void> {
  if (aborted.signal.aborted) return;
  const message = error instanceof Error ? error.message : String(error);
  await send({ type: "failed", message, expected: error instanceof EmbeddedError });
  await leave();
}

let leaving: Promise<void> | undefined;
const leave = (): Promise<void> => {
  leaving ??= stopAll().finally(() => process.exit());
  return leaving;
};

process.on("message", (message) => void handle(toGuard.parse(message)));
process.on("disconnect", () => void leave());
process.on("SIGTERM", () => void leave());
// The launcher handles a Ctrl-C, should one ever reach this detached process.
process.on("SIGINT", () => {});
