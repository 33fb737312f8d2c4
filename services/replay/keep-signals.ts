// Signals that Redis keeps for callers to look at.
import { z } from "zod";
import { KEPT_SIGNALS } from "../../projections/replay/kept-signals.ts";
import { replayKeys } from "../../schemas/redis-keys.ts";
import { DAY_MS } from "../../schemas/units.ts";
import type { RedisClient } from "../common/redis/client.ts";
import { redisScript } from "../common/redis/script.ts";
import type { Claimed, Keeping } from "./store.ts";

/** A signal that is kept, with its place among those of the session. */
export interface NumberedText {
  readonly number: number;
  readonly text: string;
}

const keepSignals = redisScript(new URL("scripts/keep.lua", import.meta.url), {
  keys: ["session", "signals", "shown"],
  arguments: [
    "owner",
    "version",
    "createdAt",
    "signalsPrefix",
    "maxSessions",
    "maxSignals",
    "maxBytes",
    "keepMs",
    "added...",
  ],
  reply: z.unknown(),
});

export function createKeepSignals(redis: RedisClient, namespace: string, { forMs }: Pick<Keeping, "forMs">) {
  const { session: prefix, signals: signalsPrefix, shown } = replayKeys(namespace);
  // The next signal of a session that goes on may be hours away.
  const bounds = { ...KEPT_SIGNALS, keepMs: Math.max(forMs, DAY_MS) };

  /** Resolves with false when this process has lost the session. */
  return async ({ id, owner, tokenId, session }: Claimed, signals: readonly NumberedText[]): Promise<boolean> => {
    const { key: version } = session.spec.subscription;
    const keys = { session: prefix + id, signals: signalsPrefix + version, shown: shown + tokenId, signalsPrefix };
    const added: readonly (number | string)[] = signals.flatMap(({ number, text }) => [number, text]);
    const { createdAt } = session;
    return (await keepSignals(redis, { ...keys, owner, version, createdAt, ...bounds, added })) !== null;
  };
}
