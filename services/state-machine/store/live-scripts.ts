// The scripts of live state. An older owner cannot overwrite a newer one: the stored position must be the one that this
// owner left there (fence.lua).
import { z } from "zod";
import { redisScript } from "../../common/redis/script.ts";

const file = (name: string) => new URL(`scripts/${name}`, import.meta.url);

const LIVE = ["position", "tracks", "sources", "zones", "past"] as const;
const STAGED = ["stagedTracks", "stagedSources", "stagedZones", "stagedPast"] as const;
const COUNTS = ["tracksCount", "sourcesCount", "zonesCount", "pastCount"] as const;
const FENCE = ["expected", "next", "owner"] as const;
const saved = z.enum(["saved", "overtaken", "lost"]);
const field = z.string().nullable();
/** The form of the scripts by which an owner records that it is at work, or no longer is. */
const recorded = { keys: ["position"], arguments: ["owner"], reply: z.number() } as const;

export const liveScripts = {
  save: redisScript(file("save.lua"), { keys: LIVE, arguments: [...FENCE, "fieldCount", "lists..."], reply: saved }),
  replace: redisScript(file("replace.lua"), {
    keys: [...LIVE, ...STAGED],
    arguments: [...FENCE, ...COUNTS, "fields..."],
    reply: saved,
  }),
  stamp: redisScript(file("stamp.lua"), {
    keys: LIVE,
    arguments: [],
    reply: z.tuple([field, field, field, z.number()]),
  }),
  claim: redisScript(file("claim.lua"), { ...recorded, isReplicated: true }),
  renewClaim: redisScript(file("renew-claim.lua"), recorded),
  release: redisScript(file("release.lua"), recorded),
  isFree: redisScript(file("is-free.lua"), { ...recorded, arguments: ["goneAfterSeconds"] }),
};
