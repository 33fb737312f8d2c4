// Bodies of requests about event state, and the answers.
import { z } from "zod";
import { idMember, instant, isoTimeSchema } from "./pieces.ts";

const MAX_HOURS = 8_760;
const MAX_NAME_LENGTH = 200;

const scopeType = z.enum(["track", "zone", "device", "site"]);
const reason = z.enum(["conditions_not_met", "event_timeout", "track_expired", "manual_close"]);
const hours = (what: string) => z.number().min(0).max(MAX_HOURS).meta({ description: what });

export const eventCheckBody = z.object({
  scope_type: scopeType,
  workflow_id: idMember,
  workflow_name: z
    .string()
    .max(MAX_NAME_LENGTH, `a name has at most ${MAX_NAME_LENGTH} characters`)
    .refine((text) => text.isWellFormed(), "a name is well-formed Unicode"),
  conditions_met: z.boolean(),
  cooldown_hours: hours("Hours after the closing before a new event may be created; those of the creating call hold")
    .optional()
    .default(0),
  auto_close_hours: hours("The event is closed this long after its creation, 0: never; those of the creating call hold")
    .optional()
    .default(24),
});

export const eventUpdateBody = z
  .object({
    workflow_id: idMember.optional(),
    global_event_id: idMember.optional().meta({ description: "Makes a pending event active" }),
    event_start_time: instant.optional().meta({ description: "Left out: when the conditions were met" }),
    event_end_time: instant.optional().meta({ description: "Closes the event" }),
    state: z.enum(["active", "closing", "closed"]).optional(),
    closure_reason: reason.optional(),
  })
  .refine(({ workflow_id: _, ...changes }) => Object.values(changes).some((value) => value !== undefined), {
    message: "nothing to change: give global_event_id, event_start_time, event_end_time or state",
  })
  .refine(({ state, event_end_time, closure_reason }) => {
    return closure_reason === undefined || state === "closed" || (state === undefined && event_end_time !== undefined);
  }, "closure_reason is for an update that closes the event")
  .refine(({ event_start_time: from, event_end_time: to }) => from === undefined || to === undefined || from <= to, {
    message: "the event ends before it starts",
    path: ["event_end_time"],
  });

export const workflowQuery = z.object({
  workflow_id: idMember
    .optional()
    .meta({ description: "May be left out while one workflow has an event under the scope" }),
});

const nullableTime = isoTimeSchema.nullable();
export const eventAnswer = z.object({
  scope: z.string(),
  scope_id: z.string(),
  scope_type: scopeType,
  workflow_id: z.string(),
  workflow_name: z.string(),
  state: z.enum(["pending", "active", "closing", "closed"]).nullable().meta({ description: "null: there is no event" }),
  global_event_id: z.string().nullable(),
  event_start_time: nullableTime,
  event_end_time: nullableTime,
  closure_reason: reason.nullable(),
  cooldown_hours: z.number(),
  auto_close_hours: z.number(),
  lease_until: nullableTime.meta({ description: "Until then one caller creates or closes the event" }),
  closed_at: nullableTime,
  created_at: nullableTime,
  updated_at: nullableTime,
});
const actions = z.enum(["create_event", "update_event", "close_event", "no_action"]);
export const eventCheckAnswer = eventAnswer.extend({
  action: actions.meta({ description: "What this caller is to do now" }),
});

export type EventAnswer = z.output<typeof eventAnswer>;
