import type { Redis } from "ioredis";

/** Keys, then arguments; ioredis flattens lists itself: spread into one call, so many arguments would overflow the stack. */
export type Script<T> = (...args: (string | number | readonly (string | number)[])[]) => Promise<T>;

/** A command that Redis runs as one step. ioredis sends only the script's hash once Redis knows it. */
export function defineScript<T>(redis: Redis, name: string, numberOfKeys: number, lua: string): Script<T> {
  if (!Reflect.has(redis, name)) redis.defineCommand(name, { numberOfKeys, lua });
  const defined: Script<T> = Reflect.get(redis, name);
  return (...args) => defined.apply(redis, args);
}
