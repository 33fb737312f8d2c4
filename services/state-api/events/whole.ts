// Whether Redis has every state that the log has. A process of Redis that was restarted may have lost the newest ones
// and a flushed one has lost all: before anything is answered from it, they are read from the log.
import type { Redis } from "ioredis";
import { unavailable } from "../../../schemas/errors.ts";

export interface Whole {
  /**
   * What the marker in Redis must say. Rejects with UNAVAILABLE while there is no connection. Commands that are sent in
   * the same turn reach the Redis that was found whole.
   */
  known(): Promise<string>;
  /** Redis does not say this any more. */
  doubt(id: string): void;
}

export interface WholeOptions {
  readonly redis: Redis;
  readonly marker: string;
  /** Of the topic of the states. */
  readonly logId: () => Promise<string>;
  /** Puts the states of the log into Redis. `isOther`: what Redis has now came from another log. */
  readonly restore: (isOther: boolean) => Promise<void>;
}

const RETRY_AFTER_MS = 1_000;

/** The connection must not send a command again over another one: that may lead to another process of Redis. */
export function createWhole({ redis, marker, logId, restore }: WholeOptions): Whole {
  let finding: Promise<string> | undefined;
  let found: string | undefined;

  function forget(): void {
    finding = undefined;
    found = undefined;
  }
  redis.on("close", forget);

  async function find(): Promise<string> {
    const [info, log, said] = await Promise.all([redis.info("server"), logId(), redis.get(marker)]);
    const processId = /^run_id:(\S+)/m.exec(info)?.[1] ?? "";
    const id = `${processId} ${log}`;
    if (said === id) return id;
    await restore(said !== null && !said.endsWith(` ${log}`));
    await redis.set(marker, id);
    return id;
  }

  function begin(): Promise<string> {
    const mine = find();
    finding = mine;
    const settled = (id: string | undefined) => {
      if (finding !== mine) return;
      found = id;
      if (id === undefined) finding = undefined;
    };
    mine.then(settled, () => settled(undefined));
    return mine;
  }

  return {
    async known() {
      if (redis.status !== "ready") throw unavailable("Redis does not answer", RETRY_AFTER_MS);
      return finding ?? begin();
    },
    doubt(id) {
      if (found === id) forget();
    },
  };
}
