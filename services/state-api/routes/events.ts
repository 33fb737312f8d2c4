// Event state: which of many callers creates, updates or closes the event of a scope and workflow.

import type { z } from "zod";
import { decide } from "../../../projections/event-state/decide.ts";
import { writeMark } from "../../../projections/event-state/track-mark.ts";
import type { Action, Asked, Check, Decision, Known, Moment } from "../../../projections/event-state/types.ts";
import { answer, checkAnswer, checkBody, noEvent, ofWorkflow, updateBody, viewOf } from "../events/bodies.ts";
import type { Decisions, Outcome } from "../events/decisions.ts";
import type { EventStore } from "../events/store.ts";
import type { TrackLooks } from "../events/track-looks.ts";
import { Problem, retryAfter } from "../http/problem.ts";
import { type AnswerSpec, type Route, route } from "../http/route.ts";

export interface EventRoutesOptions {
  readonly store: EventStore;
  readonly decisions: Decisions;
  readonly looks: TrackLooks;
  readonly times: Omit<Moment, "now">;
}

const FULL_RETRY_MS = 60_000;

const whatToDo: AnswerSpec = { description: "What to do, and the state of the event", schema: checkAnswer };
const stateIs: AnswerSpec = { description: "The state of the event", schema: answer };
const unknown: AnswerSpec = { description: "There is no event of this scope and workflow" };
const otherType: AnswerSpec = { description: "The event has another scope_type" };
const notNow: AnswerSpec = { description: "The event has another global_event_id, or its state does not allow it" };
const full: AnswerSpec = { description: "There are too many events" };
const PATH = "/api/events/{scope_id}";

export function createEventRoutes({ store, decisions, looks, times }: EventRoutesOptions): readonly Route[] {
  const ask = (scopeId: string, workflowId: string, asked: Asked) =>
    decisions.decide({ scopeId, workflowId }, (state, now) => decide(state, asked, { now, ...times }));

  /** An event that begins remembers where its track is, so that only a later expiry closes it. */
  async function check(asked: Check, tokenId: string): Promise<Outcome> {
    const decideNow = async (state: Known, now: number): Promise<Decision> => {
      const decision = decide(state, asked, { now, ...times });
      const begins = "action" in decision && decision.action === "create_event" && asked.scopeType === "track";
      if (!begins || decision.state === undefined) return decision;
      const track = await looks.find(asked.scopeId);
      return track === undefined
        ? decision
        : { ...decision, state: { ...decision.state, trackMark: writeMark(track) } };
    };
    return decisions.decide(asked, decideNow, tokenId);
  }

  async function workflowOf(scopeId: string, given: string | undefined): Promise<string> {
    if (given !== undefined) return given;
    const [workflow, another] = await store.someWorkflows(scopeId);
    if (workflow === undefined) throw new Problem("not-found", "there is no event of this scope");
    if (another === undefined) return workflow;
    throw new Problem("validation", "several workflows have an event under this scope: workflow_id says which one");
  }

  return [
    route({
      method: "POST",
      path: PATH,
      summary: "Says what this caller is to do with the event of a scope and workflow",
      scope: "write",
      body: checkBody,
      answers: { 200: whatToDo, 409: otherType, 429: full },
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
        const { action, state } = decided(await check(asked, principal.tokenId));
        return { status: 200, body: { action, ...(state === undefined ? noEvent(asked) : viewOf(state)) } };
      },
    }),
    route({
      method: "PATCH",
      path: PATH,
      summary: "Says what this caller has done with the event",
      scope: "write",
      query: ofWorkflow,
      body: updateBody,
      answers: { 200: stateIs, 404: unknown, 409: notNow },
      async handle({ params: { scope_id: scopeId = "" }, query, body }) {
        const workflowId = await workflowOf(scopeId, oneOf(query.workflow_id, body.workflow_id));
        const outcome = await ask(scopeId, workflowId, {
          kind: "update",
          globalEventId: body.global_event_id,
          eventStartTime: body.event_start_time,
          eventEndTime: body.event_end_time,
          state: body.state,
          closureReason: body.closure_reason,
        });
        return { status: 200, body: stateOf(decided(outcome).state) };
      },
    }),
    route({
      method: "GET",
      path: PATH,
      summary: "The state of the event of a scope and workflow",
      scope: "read",
      query: ofWorkflow,
      answers: { 200: stateIs, 404: unknown },
      async handle({ params: { scope_id: scopeId = "" }, query }) {
        const workflowId = await workflowOf(scopeId, query.workflow_id);
        return { status: 200, body: stateOf(decided(await ask(scopeId, workflowId, { kind: "wait" })).state) };
      },
    }),
  ];
}

function oneOf(query: string | undefined, body: string | undefined): string | undefined {
  if (query !== undefined && body !== undefined && query !== body) {
    throw new Problem("validation", "the workflow_id of the query is not that of the body");
  }
  return query ?? body;
}

function decided(outcome: Outcome): { readonly action: Action; readonly state: Known } {
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

function stateOf(state: Known): z.output<typeof answer> {
  if (state === undefined) throw new Problem("not-found", "there is no event of this scope and workflow");
  return viewOf(state);
}
