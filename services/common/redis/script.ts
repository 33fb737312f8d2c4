import { createHash } from "node:crypto";
import type { z } from "zod";
import type { RedisClient } from "./client.ts";
import { isCluster } from "./cluster.ts";
import { composeScript, isList, listName } from "./compose-script.ts";
import { callReplicated } from "./replicated.ts";

/** Runs a script in Redis in one step. Keys and arguments have the names that the head of its file declares. */
export type RedisScript<Name extends string, Reply> = (
  redis: RedisClient,
  values: ScriptValues<Name>,
) => Promise<Reply>;

type Value = string | number;

export type ScriptValues<Name extends string> = {
  readonly [Each in Name as Each extends `${string}...` ? never : Each]: Value;
} & {
  readonly [Each in Name as Each extends `${infer List}...` ? List : never]: readonly Value[];
};

interface ScriptShape<Key extends string, Argument extends string, Reply> {
  readonly keys: readonly Key[];
  readonly arguments: readonly Argument[];
  readonly reply: z.ZodType<Reply>;
  /** True when a Cluster must not answer before a replica has what the script wrote (replicated.ts). */
  readonly isReplicated?: boolean;
}

/**
 * Reads a script from its file. Throws when its keys or arguments are not those of the shape. A server that knows the
 * script receives only its hash. The scripts of ioredis are not used, because they would keep their commands from being
 * collected (young-commands.ts).
 */
export function redisScript<const Key extends string, const Argument extends string, Reply>(
  file: URL,
  shape: ScriptShape<Key, Argument, Reply>,
): RedisScript<Key | Argument, Reply> {
  const script = composeScript(file);
  checkNames(file, "keys", shape.keys, script.keys);
  checkNames(file, "arguments", shape.arguments, script.arguments);
  const run = createRunner(script.text, shape.isReplicated === true);

  return async (redis, values) => {
    const named: Readonly<Record<string, Value | readonly Value[]>> = values;
    const valuesOf = (name: string) => named[isList(name) ? listName(name) : name] ?? "";
    const keys = script.keys.flatMap(valuesOf);
    const reply = await run(redis, [keys.length, ...keys, ...script.arguments.flatMap(valuesOf)]).catch((error) => {
      if (error instanceof Error) error.message = script.explain(error.message);
      throw error;
    });
    return shape.reply.parse(reply);
  };
}

function checkNames(file: URL, kind: string, given: readonly string[], declared: readonly string[]): void {
  if (given.toSorted().join() === declared.toSorted().join()) return;
  throw new Error(`${file.pathname} declares the ${kind} "${declared.join(" ")}", its caller "${given.join(" ")}"`);
}

function createRunner(text: string, isReplicated: boolean) {
  const hash = createHash("sha1").update(text).digest("hex");
  /** The connections over which the text was sent. */
  const informed = new WeakSet<object>();

  /**
   * The first call over a connection sends the text, so calls right after it find the script. A call that waits for a
   * connection may reach a server that does not know the script. A Cluster has a connection to each node, and each of
   * them finds out for itself.
   */
  function isInformed({ stream }: { readonly stream?: object | undefined }): boolean {
    const isKnown = stream !== undefined && informed.has(stream);
    if (stream !== undefined) informed.add(stream);
    return isKnown;
  }

  return async (redis: RedisClient, args: readonly Value[]): Promise<unknown> => {
    if (isCluster(redis)) {
      // A pipeline cannot find out that the server lacks a script, and send it again, before WAIT.
      if (isReplicated) return callReplicated(redis, "eval", [text, ...args]);
    } else if (!isInformed(redis)) {
      return redis.call("eval", [text, ...args]);
    }
    try {
      return await redis.call("evalsha", [hash, ...args]);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return redis.call("eval", [text, ...args]);
    }
  };
}
