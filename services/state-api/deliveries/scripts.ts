// The scripts of requested and waiting deliveries.
import { z } from "zod";
import { redisScript } from "../../common/redis/script.ts";

const file = (name: string) => new URL(`scripts/${name}`, import.meta.url);

const BOUNDS = ["maxRequests", "maxBytes", "maxPartitionBytes", "fullOutboxBytes"] as const;
const texts = z.array(z.string());

export const deliveryScripts = {
  request: redisScript(file("request.lua"), {
    keys: ["express", "asked", "position"],
    arguments: ["id", "request", "queueId", ...BOUNDS, "channel", "notice"],
    reply: z.enum(["asked", "full", "all full", "log behind"]),
    isReplicated: true,
  }),
  requested: redisScript(file("requested.lua"), { keys: ["express"], arguments: [], reply: texts }),
  names: redisScript(file("names.lua"), { keys: ["items"], arguments: ["ids..."], reply: texts }),
};
