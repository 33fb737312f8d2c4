// The scripts of the states of events. They do not know the life of an event: they store a decision if the state that
// it was made on is still there.
import { z } from "zod";
import { redisScript } from "../../common/redis/script.ts";

const file = (name: string) => new URL(`scripts/${name}`, import.meta.url);

const EVENT = ["event", "due", "tracks", "scope", "tokens"] as const;
/** The names of an event in the sets: its key and its workflow. */
const NAMES = ["eventName", "workflowId"] as const;
const BEGUN = ["by", "maxEventsPerToken"] as const;

/** A script that answers "lost" when Redis may have lost states. */
const checked = <const Key extends string, const Argument extends string>(
  name: string,
  keys: readonly Key[],
  args: readonly Argument[],
) =>
  redisScript(file(name), {
    keys: ["marker", ...keys],
    arguments: ["markerValue", ...args],
    reply: z.array(z.string().nullable()),
  });

export const eventScripts = {
  load: checked("load.lua", ["event"], []),
  put: checked("put.lua", EVENT, [
    ...NAMES,
    "on",
    "token",
    "version",
    "state",
    "isTrackChecked",
    "maxEvents",
    "takeUpMs",
    ...BEGUN,
  ]),
  unsettle: checked("unsettle.lua", ["event", "due", "scope"], [...NAMES, "newToken"]),
  settle: checked("settle.lua", EVENT, [...NAMES, "token", "offset", "dueAt", "newToken"]),
  workflows: checked("workflows.lua", ["scope"], []),
  takeDue: redisScript(file("take-due.lua"), {
    keys: ["set"],
    arguments: ["count", "postponeMs"],
    reply: z.array(z.string()),
  }),
  restore: redisScript(file("restore.lua"), {
    keys: ["event", "due", "tracks", "scope"],
    arguments: [...NAMES, "token", "version", "state", "offset", "dueAt", "isTrackChecked"],
    reply: z.number(),
  }),
  recount: redisScript(file("recount.lua"), { keys: ["due", "tokens"], arguments: ["prefix"], reply: z.string() }),
};
