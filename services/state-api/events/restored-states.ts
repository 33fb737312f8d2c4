// Checks whether Redis has every state that the log has. A restarted Redis may have lost the newest states, and a
// flushed one has lost all: before Redis is used for an answer, the states are restored from the log.
import type { Redis } from "ioredis";
import { unavailable } from "../../../schemas/errors.ts";

export interface RestoredStates {
  /**
   * Resolves with the value that the marker in Redis must have. Rejects with UNAVAILABLE while there is no connection.
   * Commands that are sent in the same turn reach the Redis that was checked.
   */
  markerValue(): Promise<string>;
  /** Must be called when Redis no longer has this marker. */
  lost(id: string): void;
}

export interface RestoredStatesOptions {
  readonly redis: Redis;
  readonly marker: string;
  /** Id of the topic of the states. */
  readonly logId: () => Promise<string>;
  /**
   * Puts the states of the log into Redis. `isOther` is true when the present states of Redis came from another log.
   */
  readonly restore: (isOther: boolean) => Promise<void>;
}

/** The connection must not repeat a command over a new connection: that may lead to another process of Redis. */
export function createRestoredStates({ redis, marker, logId, restore }: RestoredStatesOptions): RestoredStates {
  let finding: Promise<string> | undefined;
  let found: string | undefined;

  function forget(): void {
    finding = undefined;
    found = undefined;
  }
  redis.on("close", forget);

  async function find(): Promise<string> {
    const [info, log, stored] = await Promise.all([redis.info("server"), logId(), redis.get(marker)]);
    const processId = /^run_id:(\S+)/m.exec(info)?.[1] ?? "";
    const id = `${processId} ${log}`;
    if (stored === id) return id;
    await restore(stored !== null && !stored.endsWith(` ${log}`));
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
    async markerValue() {
      if (redis.status !== "ready") throw unavailable("Redis does not answer");
      return finding ?? begin();
    },
    lost(id) {
      if (found === id) forget();
    },
  };
}
