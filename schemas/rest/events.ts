// Bodies of requests about event state, and the answers.
import { z } from "zod";
import { idMember, instant, isoTimeSchema } from "./pieces.ts";

const MAX_HOURS = 8_760;
const MAX_NAME_LENGTH = 200;

const scopeType = z
  .enum(["track", "zone", "device", "site"])
  .describe("Kind of the object in the path; the event of a track is closed when the track expires");
const reasons = z.enum(["conditions_not_met", "event_timeout", "track_expired", "manual_close"]);
const hours = z.number().min(0).max(MAX_HOURS);

export const eventCheckBody = z.object({
  scope_type: scopeType,
  workflow_id: idMember.describe("Workflow of the event: a scope has one event for each workflow"),
  workflow_name: z
    .string()
    .max(MAX_NAME_LENGTH, `a name has at most ${MAX_NAME_LENGTH} characters`)
    .refine((text) => text.isWellFormed(), "a name is well-formed Unicode")
    .describe("Stored with the event and returned with it"),
  conditions_met: z.boolean().describe("Result of the workflow's check, from which the action follows"),
  cooldown_hours: hours
    .optional()
    .default(0)
    .describe("Hours after the closing in which no new event is created; the value of the creating call counts"),
  auto_close_hours: hours
    .optional()
    .default(24)
    .describe("Hours after the creation when the event is closed, 0 for never; the value of the creating call counts"),
});

export const eventUpdateBody = z
  .object({
    workflow_id: idMember
      .optional()
      .describe("May also be in the query; needed when several workflows have an event under the scope"),
    global_event_id: idMember
      .optional()
      .describe("Id of the created event; makes a pending event active. A stored id cannot be changed"),
    event_start_time: instant
      .optional()
      .describe("Start of the event; if left out, the stored one, or else the time at which the conditions were met"),
    event_end_time: instant.optional().describe("End of the event; closes it unless `state` is given"),
    state: z
      .enum(["active", "closing", "closed"])
      .optional()
      .describe("closing: this caller has the lease to close it. Left out, the state follows from the other members"),
    closure_reason: reasons
      .optional()
      .describe("For an update that closes; left out, conditions_not_met for a closing event, else manual_close"),
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
  workflow_id: idMember.optional().describe("May be left out while one workflow has an event under the scope"),
});

const nullableTime = isoTimeSchema.nullable();
const eventMembers = z.object({
  scope: z.string().describe("The same as `scope_id`"),
  scope_id: z.string().describe("Id in the path of the request"),
  scope_type: scopeType,
  workflow_id: z.string().describe("Workflow of the event: a scope has one event for each workflow"),
  workflow_name: z.string().describe("Name that the creating call gave"),
  state: z
    .enum(["pending", "active", "closing", "closed"])
    .nullable()
    .describe(
      "pending: a caller is creating it. active: it has a global_event_id. closing: a caller is closing it. " +
        "null: there is no event",
    ),
  global_event_id: z.string().nullable().describe("Null until a caller has stored it"),
  event_start_time: nullableTime.describe("Null until the event has a global_event_id or was given a start"),
  event_end_time: nullableTime.describe("Null unless a caller has given it"),
  closure_reason: reasons
    .nullable()
    .describe(
      "conditions_not_met: also when the lease of a closing ended. event_timeout: auto_close_hours passed. " +
        "track_expired: its track ended. manual_close: a caller closed it. null: it is not closed",
    ),
  cooldown_hours: z.number().describe("Hours after the closing in which no new event is created"),
  auto_close_hours: z.number().describe("Hours after the creation when the event is closed, 0 for never"),
  lease_until: nullableTime.describe(
    "End of the time in which one caller creates or closes the event; null in other states",
  ),
  closed_at: nullableTime.describe("Null while the event is not closed"),
  created_at: nullableTime.describe("Time at which the conditions were met; null without an event"),
  updated_at: nullableTime.describe("Time of the last change; null without an event"),
});

export const eventAnswer = eventMembers.meta({ id: "EventState" });

const actions = z.enum(["create_event", "update_event", "close_event", "no_action"]);
export const eventCheckAnswer = eventMembers.extend({
  action: actions.describe(
    "Step that this caller must take now; of all callers, one gets create_event and one gets close_event",
  ),
});

export type EventAnswer = z.output<typeof eventAnswer>;
