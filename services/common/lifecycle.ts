// Starts parts in order, waits, and stops them in reverse: the life of every service.
import type { Log } from "./log.ts";

export interface Part {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Rejects when the part can no longer do its work; never resolves. */
  readonly failed?: Promise<never>;
}

/** Creates a part that needs no start, such as a client that connects by itself. */
export const closingPart = (name: string, stop: () => unknown): Part => ({
  name,
  start: async () => undefined,
  stop: async () => void (await stop()),
});

/**
 * Milliseconds for all parts together: Docker, for one, kills a process 10 s after the request to stop. Deployments
 * must allow more.
 */
export const STOP_DEADLINE_MS = 8_000;
const LEAST_FOR_A_PART_MS = 200;

/**
 * Starts the parts, waits for the stop signal or a failure, stops them in reverse. A part that fails to stop does not
 * keep the others from stopping. The signal also ends a start that is still under way, so `stop` must handle a part
 * that is half started. Rejects with the failure, if there was one.
 */
export async function run(parts: readonly Part[], stopSignal: Promise<unknown>, log: Log): Promise<void> {
  const started: Part[] = [];
  try {
    for (const part of parts) {
      started.push(part);
      if ((await startUnless(stopSignal, part)) === "stop") return;
      log.debug({ part: part.name }, "part started");
    }
    log.info("ready");
    await Promise.race([stopSignal, ...parts.flatMap((part) => part.failed ?? [])]);
  } finally {
    const deadline = performance.now() + STOP_DEADLINE_MS;
    for (const part of started.reverse()) {
      await stopWithin(part, Math.max(deadline - performance.now(), LEAST_FOR_A_PART_MS), log);
    }
  }
}

async function startUnless(stopSignal: Promise<unknown>, part: Part): Promise<"started" | "stop"> {
  const starting = part.start();
  starting.catch(() => undefined);
  return Promise.race([starting.then(() => "started" as const), stopSignal.then(() => "stop" as const)]);
}

async function stopWithin(part: Part, withinMs: number, log: Log): Promise<void> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(new Error("deadline passed")), withinMs);
  try {
    await Promise.race([part.stop(), deadline.promise]);
  } catch (error) {
    log.error({ part: part.name, err: error }, "part did not stop cleanly");
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Resolves on SIGTERM or SIGINT, and when the parent that forked this process is gone. A process without its parent
 * would hold ports and group memberships that nobody knows of.
 */
export function stopRequested(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
  if (process.send !== undefined) process.once("disconnect", () => resolve("disconnect"));
  return promise;
}

/** Runs a service's main: any failure is logged once and ends the process with a non-zero code. */
export async function main(log: Log, body: () => Promise<void>): Promise<void> {
  try {
    await body();
    process.exitCode = 0;
  } catch (error) {
    log.fatal({ err: error }, "stopped by a failure");
    process.exitCode = 1;
  }
  // Clients of lost stores may still hold timers; everything that must be durable is durable by now.
  setTimeout(() => process.exit(), 500).unref();
}
