// The scripts of the queues. Only the present owner of a partition may write: each script first checks the owner
// (parts/fence.lua). A subscription is identified by its QueueId, so that the data of a deleted subscription never
// reaches a new one with the same id.
import { z } from "zod";
import { redisScript } from "../../common/redis/script.ts";

/** The status, then what the script found. */
const reply = z.array(z.string().nullable());

const script = <const Argument extends string>(file: string, args: readonly Argument[], isReplicated = false) =>
  redisScript(new URL(`scripts/${file}`, import.meta.url), {
    keys: ["position"],
    arguments: args,
    reply,
    isReplicated,
  });

const FENCE = ["owner", "base"] as const;
const PUSH = [...FENCE, "maxOutboxBytes"] as const;
const BOUNDS = ["lagMs", "maxWaiting", "maxBytes", "batchSignals", "batchBytes", "fullOutboxBytes"] as const;
const ENDED = [...PUSH, "queueId", "id", "subject", "record"] as const;

export const queueScripts = {
  claim: script("claim.lua", ["owner"], true),
  begin: script("begin.lua", [...FENCE, "next", "logId"]),
  accept: script("accept.lua", [...PUSH, "from", "to", "now", ...BOUNDS, "budgetBytes", "signals..."]),
  evict: script("evict.lua", [...PUSH, "now", "budgetBytes"]),
  take: script("take.lua", [...FENCE, "queueId", "now", "version", "batchMs", "isStopped"]),
  load: script("load.lua", [...FENCE, "queueId", "id"]),
  express: script("express.lua", [...FENCE, "queueId"]),
  retry: script("retry.lua", [...FENCE, "queueId", "id", "attempts", "nextAt", "triedAt"]),
  end: script("end.lua", [...ENDED, "failures", "nextAt", "triedAt", "slow"]),
  endExpress: script("end-express.lua", [...ENDED, "succeeded"]),
  forget: script("forget.lua", [...FENCE, "queueId"]),
  outbox: script("outbox.lua", [...FENCE, "maxEntries", "maxBytes"]),
  trimOutbox: script("trim-outbox.lua", [...FENCE, "entries", "first"]),
};
