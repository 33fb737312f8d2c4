import { ReplyError } from "ioredis";
import { describe, expect, it } from "vitest";
import { PositionBeyondLog } from "../../../../services/common/kafka/read/start-offset.ts";
import { createLog } from "../../../../services/common/log.ts";
import { patiently } from "../../../../services/common/patiently.ts";
import { PermanentError } from "../../../../services/common/permanent-errors.ts";

/** Fails once with this error. Resolves with the number of attempts, or rejects with the failure. */
async function attemptsAfter(error: Error): Promise<number> {
  let attempts = 0;
  const { signal } = new AbortController();
  await patiently(
    "try",
    async () => {
      if (++attempts === 1) throw error;
    },
    { log: createLog("test", "silent"), signal },
  );
  return attempts;
}

const mendable: readonly Error[] = [
  new Error("connect ECONNREFUSED"),
  new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") }),
  // ClickHouse appends the reason to the rows when it stops in the middle of an answer.
  new SyntaxError(`Unexpected token 'C', "Code: 236."... is not valid JSON`),
  new ReplyError("LOADING Redis is loading the dataset in memory"),
  new ReplyError("ERR Error running script: @user_script:1: @user_script: 1: -OOM command not allowed"),
];

const permanent: readonly Error[] = [
  new PermanentError("instances are at work with other settings"),
  new PositionBeyondLog({ topic: "camera-log", partition: 0 }, 8, { partition: 0, low: 0, high: 7 }),
  new RangeError("Maximum call stack size exceeded"),
  new TypeError("undefined is not a function"),
  new ReplyError("WRONGTYPE Operation against a key holding the wrong kind of value"),
  new ReplyError("ERR Error running script: @user_script:1: attempt to index local 'x' (a nil value)"),
];

describe("patiently", () => {
  it.each(mendable.map((error) => [error.message, error] as const))("repeats after: %s", async (_, error) => {
    expect(await attemptsAfter(error)).toBe(2);
  });

  it.each(permanent.map((error) => [error.message, error] as const))("gives up after: %s", async (_, error) => {
    await expect(attemptsAfter(error)).rejects.toBe(error);
  });
});
