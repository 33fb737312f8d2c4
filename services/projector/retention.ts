// Drops months that are old enough, at the start and once a day. Every projector does: what another has dropped is gone.
import type { ClickHouseClient } from "@clickhouse/client";
import { dropOldHistory, monthStart, oldHistory } from "../../projections/history/queries/old-months.ts";
import { messageOf } from "../../schemas/errors.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";

export interface RetentionOptions {
  readonly client: ClickHouseClient;
  /** This many months before the current one stay. */
  readonly months: number;
  readonly log: Log;
}

const DAY_MS = 86_400_000;
/** A store that is away now may be back then. */
const AGAIN_MS = 600_000;

export function createRetention({ client, months, log }: RetentionOptions): Part {
  let timer: NodeJS.Timeout | undefined;
  let dropping: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function drop(): Promise<void> {
    let pauseMs = DAY_MS;
    try {
      const before = monthStart(Date.now(), -months);
      const old = await oldHistory(client, before);
      await dropOldHistory(client, before, old);
      if (old.months.length + old.tracks > 0) log.info({ before: new Date(before), ...old }, "old history dropped");
    } catch (error) {
      pauseMs = AGAIN_MS;
      log.warn({ err: messageOf(error) }, "old history not dropped, will try again");
    }
    if (!isStopped) timer = setTimeout(again, pauseMs);
  }

  function again(): void {
    dropping = drop();
  }

  return {
    name: "retention",
    start: async () => again(),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await dropping;
    },
  };
}
