import { until } from "./processes.ts";

/**
 * Waits until no further message is due. If that never happens, the comparison that follows says more than a time-out
 * would.
 */
export async function settled(fact: () => boolean | Promise<boolean>): Promise<void> {
  await until(fact, { timeoutMs: 60_000, pauseMs: 100 }).catch(() => undefined);
}
