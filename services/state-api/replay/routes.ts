// Replay sessions: signals of recorded tracks once more, for a receiver or for somebody who looks at them.
import { randomUUID } from "node:crypto";
import { newSession, type ReplaySpec } from "../../../projections/replay/session.ts";
import { signingSecretPlace } from "../../../projections/webhooks/subscriptions/places.ts";
import { signalSettings } from "../../../projections/webhooks/subscriptions/settings.ts";
import type { SubscriptionSet } from "../../../schemas/records/subscription.ts";
import { type ReplayBody, replayAnswer, replayBody, replayCreated } from "../../../schemas/rest/replay.ts";
import { type Guard, HTTP } from "../../common/outbound/guard.ts";
import type { Sealer } from "../../common/sealed.ts";
import { requireRead } from "../http/admit.ts";
import { Problem } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
import { makeSecret } from "../subscriptions/signing-secrets.ts";
import { sessionAnswer } from "./answer.ts";
import { refusedQuestions } from "./asking.ts";
import { replaySettingsOf, replayZonesOf } from "./choice.ts";
import { knownSession, lacksScope, noSession, SESSION_PATH, sessionParams, unknownSession } from "./known-session.ts";
import { listRoute, signalsRoute } from "./looking-routes.ts";
import { type SelectionDeps, selectionOf } from "./selection.ts";
import { pauseRoute, resumeRoute, stepRoute } from "./steering-routes.ts";
import type { ReplaySessions } from "./store.ts";

export interface ReplayRouteDeps extends SelectionDeps {
  readonly sessions: ReplaySessions;
  readonly guard: Guard;
  readonly sealer: Sealer;
  readonly maxTracks: number;
  readonly now: () => number;
}

/** `GET /api/replay/offsets` is an endpoint of its own. */
const OFFSETS = "offsets";

export const replayRoutes = (deps: ReplayRouteDeps): readonly Route[] => [
  listRoute(deps),
  beginRoute(deps),
  showRoute(deps),
  deleteRoute(deps),
  stepRoute(deps),
  pauseRoute(deps),
  resumeRoute(deps),
  signalsRoute(deps),
];

const beginRoute = (deps: ReplayRouteDeps): Route =>
  route({
    method: "POST",
    path: SESSION_PATH,
    params: sessionParams,
    summary: "Begins a replay session",
    description:
      "The session sends the signals that a live subscription would have had of recorded tracks, of the detections in " +
      "an event time, or of the messages with some offsets. It replaces an ended one with the same id. A session of " +
      "an event time without any detection ends as failed, and its reason says when there are some. The history is " +
      "asked before the answer if the log no longer has some of the offsets. Without a `webhook_url` the signals are only " +
      "kept for `GET /api/replay/{id}/signals`, the newest ones. The token also needs the scope read.",
    scope: "write",
    body: replayBody(deps.maxTracks),
    answers: {
      201: { description: "The session has begun. Only this answer shows the secret.", schema: replayCreated },
      400: {
        description:
          "The request is not valid, the log does not have its offsets, or the service may not call `webhook_url`.",
      },
      403: lacksScope,
      404: { description: "The session has begun, and was deleted before it could be shown." },
      409: {
        description: "A session with this id has not ended, or too many have not ended, in all or of this token.",
      },
      ...refusedQuestions,
    },
    async handle({ params: { id = "" }, body, principal, gone }) {
      // The receiver gets recorded data.
      requireRead(principal);
      if (id === OFFSETS)
        throw new Problem("validation", `${OFFSETS} is no id of a session: its path has another answer`);
      const { sessions, guard, sealer, now } = deps;
      const { webhook_url: url } = body;
      const refusal = url == null ? undefined : guard.refusal(url, HTTP);
      if (refusal !== undefined) throw badAddress(refusal);
      const secret = body.webhook_secret ?? makeSecret();
      const version = randomUUID();
      const sealed = sealer.seal(secret, signingSecretPlace(version));
      const subscription = subscriptionOf(body, version, sealed);
      const selection = await selectionOf(body, { tokenId: principal.tokenId, gone: gone() }, deps);
      const spec = specOf(body, { id, selection, subscription, nowMs: now() });
      const outcome = await sessions.create(id, newSession(spec, now()), principal.tokenId);
      if (outcome !== "created") throw refusals[outcome](id);
      const headers = { location: `/api/replay/${encodeURIComponent(id)}` };
      return {
        status: 201,
        headers,
        body: { ...sessionAnswer(await knownSession(deps.sessions, id)), secret: url == null ? "" : secret },
      };
    },
  });

type Wanted = Pick<ReplaySpec, "id" | "selection" | "subscription"> & { readonly nowMs: number };

const specOf = (body: ReplayBody, { id, selection, subscription, nowMs }: Wanted): ReplaySpec => ({
  id,
  selection,
  zones: replayZonesOf(body.zones, selection, nowMs),
  settings: replaySettingsOf(body.settings),
  mode: body.mode,
  speed: body.speed === "max" ? null : body.speed,
  subscription,
});

const showRoute = (deps: ReplayRouteDeps): Route =>
  route({
    method: "GET",
    path: SESSION_PATH,
    params: sessionParams,
    summary: "Returns the state and progress of a session",
    description:
      "Ended sessions are kept for REPLAY_KEEP_MS (1 day by default), the newest REPLAY_KEEP_SESSIONS (100) of a token.",
    scope: "read",
    answers: { 200: { description: "The session.", schema: replayAnswer }, 404: unknownSession },
    handle: async ({ params: { id = "" } }) => ({
      status: 200,
      body: sessionAnswer(await knownSession(deps.sessions, id)),
    }),
  });

const deleteRoute = (deps: ReplayRouteDeps): Route =>
  route({
    method: "DELETE",
    path: SESSION_PATH,
    params: sessionParams,
    summary: "Ends a session and forgets it",
    description: "After the answer no delivery begins any more; a request in flight may still arrive.",
    scope: "write",
    answers: { 204: { description: "The session is deleted." }, 404: unknownSession },
    async handle({ params: { id = "" } }) {
      if (!(await deps.sessions.remove(id))) throw noSession(id);
      return { status: 204 };
    },
  });

const refusals = {
  exists: (id: string) => new Problem("conflict", `the session ${id} has not ended: delete it first`),
  "too-many": () => new Problem("too-many-replays", "there are too many sessions that have not ended"),
  "too-many-of-token": () => new Problem("too-many-replays", "this token has too many sessions that have not ended"),
};

const badAddress = (detail: string) =>
  new Problem("validation", `#/webhook_url: ${detail}`, { errors: [{ pointer: "#/webhook_url", detail }] });

const subscriptionOf = (body: ReplayBody, version: string, sealed: string): SubscriptionSet => ({
  ...signalSettings({ ...body, mode: body.processing_mode, trigger_on: [] }),
  key: version,
  version,
  webhookUrl: body.webhook_url ?? "",
  workflowName: body.workflow_name,
  workflowId: body.workflow_id ?? null,
  graphqlUrl: null,
  wsUrl: null,
  tokenId: "",
  tokenValue: "",
  secrets: [{ sealed, validUntil: null }],
  // The subscription covers everything, however long ago it was recorded.
  createdAt: 0,
  updatedAt: 0,
  deleted: false,
});
