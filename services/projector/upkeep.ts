// Work on the tables at the start and then from time to time. Every projector does it; where another one was faster,
// there is nothing left to do.
import type { ClickHouseClient } from "@clickhouse/client";
import {
  dropOldHistory,
  monthStart,
  newestRecording,
  oldHistory,
} from "../../projections/history/queries/old-months.ts";
import { settleTracks } from "../../projections/history/queries/settle.ts";
import { messageOf } from "../../schemas/errors.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";

export interface UpkeepOptions {
  readonly client: ClickHouseClient;
  /** This many months before the current one stay; 0: all. */
  readonly months: number;
  readonly log: Log;
}

const DAY_MS = 86_400_000;
/** Queries about the ends of tracks also read the tracks that were touched since the last settling. */
const SETTLE_MS = 600_000;

export function createUpkeep({ client, months, log }: UpkeepOptions): readonly Part[] {
  const settling = repeated("settling of tracks", SETTLE_MS, log, () => settleTracks(client));
  const retention = repeated("retention", DAY_MS, log, async () => {
    const newest = await newestRecording(client);
    if (newest === undefined) return;
    // What is dropped is lost: a clock that is years ahead must not drop all that was recorded.
    const before = monthStart(Math.min(Date.now(), newest), -months);
    const old = await oldHistory(client, before);
    const isDone = await dropOldHistory(client, before, old);
    if (old.months.length + old.tracks > 0) log.info({ before: new Date(before), ...old }, "old history dropped");
    if (!isDone) throw new Error("the store still deletes tracks");
  });
  return months > 0 ? [settling, retention] : [settling];
}

/** A store that is away now may be back then. */
const AGAIN_MS = 60_000;

/** The work waits for the end of the work before. A failure is repeated; it does not stop the projector. */
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
