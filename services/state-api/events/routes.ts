// Event state: decides which of many callers creates, updates or closes the event of a scope and workflow.
import { decide } from "../../../projections/event-state/decide.ts";
import { writeMark } from "../../../projections/event-state/track-mark.ts";
import type {
  Action,
  Check,
  CurrentEvent,
  Decision,
  DecisionMoment,
  EventRequest,
} from "../../../projections/event-state/types.ts";
import {
  type EventAnswer,
  eventAnswer,
  eventCheckAnswer,
  eventCheckBody,
  eventUpdateBody,
  workflowQuery,
} from "../../../schemas/rest/events.ts";
import { Problem, retryAfter } from "../http/problem.ts";
import { type AnswerSpec, type Route, route } from "../http/route.ts";
import { noEvent, viewOf } from "./answer.ts";
import type { DecisionOutcome, Decisions } from "./decisions.ts";
import type { EventId, EventStore } from "./store.ts";
import type { TrackSightings } from "./track-sightings.ts";

export interface EventRoutesOptions {
  readonly store: EventStore;
  readonly decisions: Decisions;
  readonly sightings: TrackSightings;
  readonly times: Omit<DecisionMoment, "now">;
}

const FULL_RETRY_MS = 60_000;

const whatToDo: AnswerSpec = {
  description: "The step that this caller must take, and the state of the event.",
  schema: eventCheckAnswer,
};
const stateIs: AnswerSpec = { description: "The state of the event.", schema: eventAnswer };
const several: AnswerSpec = {
  description: "The request is not valid, or several workflows have an event under the scope and none is named.",
};
const unknown: AnswerSpec = { description: "There is no event of this scope and workflow." };
const otherType: AnswerSpec = { description: "The event has another `scope_type`." };
const notNow: AnswerSpec = {
  description: "The event has another `global_event_id`, or cannot go from its state to the requested one.",
};
const full: AnswerSpec = {
  description:
    "There are too many events, in all or with this token, or the token exceeds STATE_API_TOKEN_REQUESTS_PER_S or " +
    "STATE_API_TOKEN_BYTES_PER_S.",
};
const undecided: AnswerSpec = {
  description:
    "A store does not answer, others change this event all the time, or too many requests are in progress. " +
    "Nothing was decided: the repeated request gets the answer that this one would have got.",
};
const PATH = "/api/events/{scope_id}";
const params = { scope_id: "Id of the object that the event is about, such as a track" };

export const createEventRoutes = (options: EventRoutesOptions): readonly Route[] => [
  checkRoute(options),
  updateRoute(options),
  showRoute(options),
];

const checkRoute = (options: EventRoutesOptions): Route =>
  route({
    method: "POST",
    path: PATH,
    params,
    summary: "Decides what this caller is to do with the event of a scope and workflow",
    description:
      "Of all callers, one is told to create the event and one to close it. If it does not confirm that with a PATCH " +
      "before its lease ends (STATE_API_EVENT_LEASE_MS, a minute by default), the next caller is told to create it, or " +
      "the event closes by itself.",
    scope: "write",
    body: eventCheckBody,
    answers: { 200: whatToDo, 409: otherType, 429: full, 503: undecided },
    async handle({ params: { scope_id: scopeId = "" }, body, principal }) {
      const asked: Check = {
        kind: "check",
        scopeId,
        scopeType: body.scope_type,
        workflowId: body.workflow_id,
        workflowName: body.workflow_name,
        conditionsMet: body.conditions_met,
        cooldownHours: body.cooldown_hours,
        autoCloseHours: body.auto_close_hours,
      };
      const { action, state } = decided(await check(options, asked, principal.tokenId));
      return { status: 200, body: { action, ...(state === undefined ? noEvent(asked) : viewOf(state)) } };
    },
  });

const updateRoute = (options: EventRoutesOptions): Route =>
  route({
    method: "PATCH",
    path: PATH,
    params,
    summary: "Records what this caller has done with the event",
    description: "Repeating a request changes nothing. A closed event stays closed.",
    scope: "write",
    query: workflowQuery,
    body: eventUpdateBody,
    answers: { 200: stateIs, 400: several, 404: unknown, 409: notNow, 503: undecided },
    async handle({ params: { scope_id: scopeId = "" }, query, body }) {
      const workflowId = await workflowOf(options, scopeId, oneOf(query.workflow_id, body.workflow_id));
      const outcome = await ask(
        options,
        { scopeId, workflowId },
        {
          kind: "update",
          globalEventId: body.global_event_id,
          eventStartTime: body.event_start_time,
          eventEndTime: body.event_end_time,
          state: body.state,
          closureReason: body.closure_reason,
        },
      );
      return { status: 200, body: stateOf(decided(outcome).state) };
    },
  });

const showRoute = (options: EventRoutesOptions): Route =>
  route({
    method: "GET",
    path: PATH,
    params,
    summary: "Returns the state of the event of a scope and workflow",
    description:
      "A closed event is known until its cooldown has ended, but for at least STATE_API_EVENT_KEEP_MS (1 hour by default).",
    scope: "read",
    query: workflowQuery,
    answers: { 200: stateIs, 400: several, 404: unknown, 503: undecided },
    async handle({ params: { scope_id: scopeId = "" }, query }) {
      const workflowId = await workflowOf(options, scopeId, query.workflow_id);
      const outcome = await ask(options, { scopeId, workflowId }, { kind: "wait" });
      return { status: 200, body: stateOf(decided(outcome).state) };
    },
  });

/** An event that begins remembers the life of its track, so that only a later expiry closes it. */
function check(
  { decisions, sightings, times }: EventRoutesOptions,
  asked: Check,
  tokenId: string,
): Promise<DecisionOutcome> {
  const decideNow = async (state: CurrentEvent, now: number): Promise<Decision> => {
    const decision = decide(state, asked, { now, ...times });
    const begins = "action" in decision && decision.action === "create_event" && asked.scopeType === "track";
    if (!begins || decision.state === undefined) return decision;
    const track = await sightings.find(asked.scopeId);
    return track === undefined ? decision : { ...decision, state: { ...decision.state, trackMark: writeMark(track) } };
  };
  return decisions.decide(asked, decideNow, tokenId);
}

const ask = ({ decisions, times }: EventRoutesOptions, id: EventId, asked: EventRequest) =>
  decisions.decide(id, (state, now) => decide(state, asked, { now, ...times }));

async function workflowOf({ store }: EventRoutesOptions, scopeId: string, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  const [workflow, another] = await store.someWorkflows(scopeId);
  if (workflow === undefined) throw new Problem("not-found", "there is no event of this scope");
  if (another === undefined) return workflow;
  throw new Problem("validation", "several workflows have an event under this scope: workflow_id says which one");
}

function oneOf(query: string | undefined, body: string | undefined): string | undefined {
  if (query !== undefined && body !== undefined && query !== body) {
    throw new Problem("validation", "the workflow_id of the query is not that of the body");
  }
  return query ?? body;
}

function decided(outcome: DecisionOutcome): { readonly action: Action; readonly state: CurrentEvent } {
  if (!("refused" in outcome)) return outcome;
  switch (outcome.refused) {
    case "unknown":
      throw new Problem("not-found", outcome.reason);
    case "conflict":
      throw new Problem("conflict", outcome.reason);
    case "full":
      throw new Problem("too-many-requests", outcome.reason, { headers: retryAfter(FULL_RETRY_MS) });
  }
}

function stateOf(state: CurrentEvent): EventAnswer {
  if (state === undefined) throw new Problem("not-found", "there is no event of this scope and workflow");
  return viewOf(state);
}
