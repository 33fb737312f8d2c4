import { expect, test } from "vitest";
import { createLog } from "../../../../services/common/log.ts";
import { untilFree } from "../../../../services/state-machine/take-over/claims.ts";

const log = createLog("test", "silent");

test("the wait for an earlier owner ends with the process, and nothing may be claimed then", async () => {
  const stop = new AbortController();
  let asked = 0;
  const isFree = async () => {
    asked += 1;
    if (asked === 3) stop.abort();
    return false;
  };

  expect(await untilFree({ isFree }, [0], { log, signal: stop.signal })).toBe(false);
  expect(asked).toBe(3);
});

test("each partition is asked for until it is free", async () => {
  const asked: number[] = [];
  const isFree = async (partition: number) => {
    asked.push(partition);
    return partition === 0 || asked.length > 2;
  };

  expect(await untilFree({ isFree }, [0, 1], { log, signal: new AbortController().signal })).toBe(true);
  expect(asked).toEqual([0, 1, 1]);
});
