// The codec for a service: it waits for an unavailable schema registry, at the start and again for every unknown
// schema.
import type { Codec, LoadSchemas } from "../../../schemas/codec.ts";
import { sleep } from "./ask-registry.ts";
import type { RegistryConfig } from "./client.ts";
import { createCodec, isRegistryUnavailable } from "./codec.ts";

export interface AwaitCodecOptions {
  readonly registry: RegistryConfig;
  /** Ends the waiting. */
  readonly stopSignal: Promise<unknown>;
  /** Called after every attempt that failed, with the time until the next one. */
  readonly onWait: (failure: { readonly err: string; readonly backoffMs: number }) => void;
}

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 5_000;

/**
 * Rejects when the registry refuses the schemas: waiting would not help. `loadSchemas` of the codec waits likewise, and
 * rejects after the stop signal only.
 * @returns undefined when the stop signal came before the registry answered.
 */
export async function awaitCodec({ registry, stopSignal, onWait }: AwaitCodecOptions): Promise<Codec | undefined> {
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

  async function loadPatiently(codec: Codec, ...args: Parameters<LoadSchemas>): Promise<number | undefined> {
    const loaded = await patiently(
      async () => codec.loadSchemas(...args),
      () => true,
    );
    if (loaded === "stopped") throw new Error("stopped while the schema registry was away");
    return loaded;
  }

  const codec = await patiently(() => createCodec(registry), isRegistryUnavailable);
  if (codec === "stopped") return undefined;
  return {
    ...codec,
    loadSchemas(values, options) {
      const all = [...values];
      const loaded = codec.loadSchemas(all, options);
      // This does not race against the stop signal: each race would stay with that promise for the life of the process.
      return loaded instanceof Promise ? loaded.catch(() => loadPatiently(codec, all, options)) : loaded;
    },
  };
}
