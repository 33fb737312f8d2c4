// Maintains the tables at the start and then at intervals: it settles tracks and drops old history. Every projector
// does it. When another one was faster, nothing is left to do.
import type { ClickHouseClient } from "@clickhouse/client";
import type { Layout } from "../../projections/history/layout/layout.ts";
import {
  dropOldHistory,
  monthStart,
  newestRecording,
  oldHistory,
} from "../../projections/history/queries/old-months.ts";
import { settleTracks } from "../../projections/history/queries/settle.ts";
import { messageOf } from "../../schemas/errors.ts";
import { DAY_MS } from "../../schemas/units.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";

export interface UpkeepOptions {
  readonly client: ClickHouseClient;
  readonly layout: Layout;
  /** Months that are kept before the current one; 0 keeps all. */
  readonly months: number;
  readonly log: Log;
}

/**
 * Interval of settling. Queries about ended tracks also read all tracks that were touched since the last settling, so a
 * longer interval makes them slower.
 */
const SETTLE_MS = 600_000;

export function createUpkeep({ client, layout, months, log }: UpkeepOptions): readonly Part[] {
  const settling = repeated("settling of tracks", SETTLE_MS, log, () => settleTracks(client, layout));
  const retention = repeated("retention", DAY_MS, log, async () => {
    const newest = await newestRecording(client);
    if (newest === undefined) return;
    // Dropped data is lost: a clock that is years ahead must not drop everything that was recorded.
    const before = monthStart(Math.min(Date.now(), newest), -months);
    const old = await oldHistory(client, layout, before);
    const isDone = await dropOldHistory(client, layout, before, old);
    if (old.months.length + old.tracks > 0) log.info({ before: new Date(before), ...old }, "old history dropped");
    if (!isDone) throw new Error("the store still deletes tracks");
  });
  return months > 0 ? [settling, retention] : [settling];
}

/** Milliseconds until the next attempt; an unavailable store may be back by then. */
const AGAIN_MS = 60_000;

/** Each run waits for the end of the run before. A failed run is repeated; it does not stop the projector. */
function repeated(name: string, everyMs: number, log: Log, work: () => Promise<void>): Part {
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function once(): Promise<void> {
    let pauseMs = everyMs;
    try {
      await work();
    } catch (error) {
      pauseMs = AGAIN_MS;
      log.warn({ err: messageOf(error), what: name }, "will try again");
    }
    if (!isStopped) timer = setTimeout(again, pauseMs);
  }

  function again(): void {
    working = once();
  }

  return {
    name,
    start: async () => again(),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await working;
    },
  };
}
