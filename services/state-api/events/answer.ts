// The state of an event in the form that callers see.
import type { Check } from "../../../projections/event-state/types.ts";
import type { EventStateChanged } from "../../../schemas/events.ts";
import { isoOrNull } from "../../../schemas/identity.ts";
import type { EventAnswer } from "../../../schemas/rest/events.ts";

export const viewOf = (state: EventStateChanged): EventAnswer => ({
  scope: state.scopeId,
  scope_id: state.scopeId,
  scope_type: state.scopeType,
  workflow_id: state.workflowId,
  workflow_name: state.workflowName,
  state: state.state,
  global_event_id: state.globalEventId,
  event_start_time: isoOrNull(state.eventStartTime),
  event_end_time: isoOrNull(state.eventEndTime),
  closure_reason: state.closureReason,
  cooldown_hours: state.cooldownHours,
  auto_close_hours: state.autoCloseHours,
  lease_until: isoOrNull(state.leaseUntil),
  closed_at: isoOrNull(state.closedAt),
  created_at: isoOrNull(state.createdAt),
  updated_at: isoOrNull(state.updatedAt),
});

export const noEvent = (asked: Check): EventAnswer => ({
  scope: asked.scopeId,
  scope_id: asked.scopeId,
  scope_type: asked.scopeType,
  workflow_id: asked.workflowId,
  workflow_name: asked.workflowName,
  state: null,
  global_event_id: null,
  event_start_time: null,
  event_end_time: null,
  closure_reason: null,
  cooldown_hours: asked.cooldownHours,
  auto_close_hours: asked.autoCloseHours,
  lease_until: null,
  closed_at: null,
  created_at: null,
  updated_at: null,
});
