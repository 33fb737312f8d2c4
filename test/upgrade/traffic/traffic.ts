// A kind of traffic that goes on while processes are replaced, and is compared with what it should have given.
import { setTimeout as delay } from "node:timers/promises";

export interface Traffic {
  readonly name: string;
  /** Begins nothing more; resolves when nothing is under way. */
  stop(): Promise<void>;
  /** To be called when the system has caught up; waits for what may still come. */
  differences(): Promise<readonly string[]>;
  close(): Promise<void>;
  /** Returns how much there was. */
  counts(): Readonly<Record<string, number>>;
}

/** Repeats the work until it is stopped. A failure is a complaint, and ends it. */
export function repeat(
  work: (n: number) => Promise<void>,
  pauseMs: number,
  complain: (text: string) => void,
): { readonly stop: () => Promise<void> } {
  let running = true;
  const repeated = (async () => {
    for (let n = 0; running; n++) {
      await work(n);
      await delay(pauseMs);
    }
  })().catch((error: unknown) => complain(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  return {
    stop: async () => {
      running = false;
      await repeated;
    },
  };
}
