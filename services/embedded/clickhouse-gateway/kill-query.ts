import { loop } from "../../common/loop.ts";
import type { Engine } from "./engine.ts";
import { quoted } from "./sql.ts";

const INTERVAL_MS = 100;

/**
 * Kills the query with this tag until its request is done: a KILL that arrives before the query is registered finds
 * nothing. Never uses SYNC, which does not return.
 */
export async function killUntil(engine: Engine, tag: string, isDone: () => boolean): Promise<void> {
  const killUnlessDone = async () => {
    if (isDone()) return true;
    const connection = engine.connect();
    try {
      await connection.run(`KILL QUERY WHERE Settings['log_comment'] = ${quoted(tag)} ASYNC`, "TabSeparated");
    } catch (error) {
      console.error("kill failed", error);
    } finally {
      connection.close();
    }
    return undefined;
  };
  await loop(killUnlessDone, { pauseMs: INTERVAL_MS });
}
