// The codec as a service needs it: it waits for a schema registry that is away, at the start and again for every
// unknown schema.
import type { Codec } from "../../../schemas/codec.ts";
import { createCodec, isRegistryAway } from "./codec.ts";

export interface AwaitCodecOptions {
  readonly registryUrl: string;
  /** Ends the waiting. */
  readonly stopSignal: Promise<unknown>;
  /** Called after every attempt that failed, with the time until the next one. */
  readonly onWait: (failure: { readonly err: string; readonly backoffMs: number }) => void;
}

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 5_000;

/**
 * undefined when the stop signal came before the registry answered. Rejects when the registry refuses the schemas:
 * waiting would not help. `learn` of the codec waits likewise, and rejects after the stop signal only.
 */
export async function awaitCodec({ registryUrl, stopSignal, onWait }: AwaitCodecOptions): Promise<Codec | undefined> {
  const stopped = stopSignal.then(() => "stopped" as const);

  async function patiently<T>(attempt: () => Promise<T>, mayHelp: (error: unknown) => boolean): Promise<T | "stopped"> {
    for (let backoffMs = FIRST_BACKOFF_MS; ; backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS)) {
      try {
        return await Promise.race([attempt(), stopped]);
      } catch (error) {
        if (!mayHelp(error)) throw error;
        onWait({ err: error instanceof Error ? error.message : String(error), backoffMs });
      }
      if ((await Promise.race([sleep(backoffMs), stopped])) === "stopped") return "stopped";
    }
  }

  async function learnPatiently(codec: Codec, values: readonly (Buffer | null)[]): Promise<void> {
    const attempt = async () => codec.learn(values);
    if ((await patiently(attempt, () => true)) === "stopped")
      throw new Error("stopped while the schema registry was away");
  }

  const codec = await patiently(() => createCodec(registryUrl), isRegistryAway);
  if (codec === "stopped") return undefined;
  return {
    ...codec,
    learn(values) {
      const all = [...values];
      // Not raced against the stop signal: each race would stay with that promise for the life of the process.
      return codec.learn(all)?.catch(() => learnPatiently(codec, all));
    },
  };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
