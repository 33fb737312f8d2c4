import { createHash } from "node:crypto";
import type { Redis } from "ioredis";

/** Keys, then arguments. Lists are flattened: spread into one call, so many arguments would overflow the stack. */
export type Script<T> = (...args: Arguments) => Promise<T>;
type Arguments = readonly (string | number | readonly (string | number)[])[];

/**
 * A command that Redis runs as one step. Only its hash is sent to a server that knows it. The scripts of ioredis would keep
 * their commands from being collected (young-commands.ts).
 */
export function defineScript<T>(redis: Redis, numberOfKeys: number, lua: string): Script<T> {
  const hash = createHash("sha1").update(lua).digest("hex");
  let knowing: unknown;

  const send = (command: string, script: string, args: Arguments) =>
    redis.call(command, [script, numberOfKeys, ...args.flat()]) as Promise<T>;

  return async (...args) => {
    // The first call over a connection brings the text, so those that are sent right after it find the script. What waits
    // for a connection meets a server that may not know it.
    const isKnown = knowing !== undefined && knowing === redis.stream;
    knowing = redis.stream;
    if (!isKnown) return send("eval", lua, args);
    try {
      return await send("evalsha", hash, args);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return send("eval", lua, args);
    }
  };
}
