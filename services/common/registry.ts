// The schema registry as a service needs it: at its start, and again when an unknown schema comes along. A registry that
// is away is waited for, with a line in the log for every attempt.
import { type Codec, createCodec, isRegistryAway } from "../../schemas/codec.ts";
import { messageOf } from "./errors.ts";
import type { Log } from "./log.ts";

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 5_000;

/**
 * The codec of a service; undefined when the stop signal came before the registry answered. Rejects when the registry
 * refuses the schemas: waiting would not help. Its `learn` waits likewise, and rejects after the stop signal only.
 */
export async function connectRegistry(url: string, log: Log, stopSignal: Promise<unknown>): Promise<Codec | undefined> {
  const stopped = stopSignal.then(() => "stopped" as const);

  async function patiently<T>(attempt: () => Promise<T>, mayHelp: (error: unknown) => boolean): Promise<T | "stopped"> {
    for (let backoffMs = FIRST_BACKOFF_MS; ; backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS)) {
      try {
        return await Promise.race([attempt(), stopped]);
      } catch (error) {
        if (!mayHelp(error)) throw error;
        log.warn({ err: messageOf(error), url, backoffMs }, "waiting for the schema registry");
      }
      if ((await Promise.race([sleep(backoffMs), stopped])) === "stopped") return "stopped";
    }
  }

  const codec = await patiently(() => createCodec(url), isRegistryAway);
  if (codec === "stopped") return undefined;
  return {
    ...codec,
    async learn(values) {
      const all = [...values];
      const learned = await patiently(
        () => codec.learn(all),
        () => true,
      );
      if (learned === "stopped") throw new Error("stopped while the schema registry was away");
    },
  };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
