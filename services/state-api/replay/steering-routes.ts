// Callers step a session that has begun, pause it, and let it go on.
import type { ReplayStatus } from "../../../projections/replay/session.ts";
import { replayAnswer, resumeBody, stepBody } from "../../../schemas/rest/replay.ts";
import { untilSo } from "../../common/loop.ts";
import { requireRead } from "../http/admit.ts";
import { Problem } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
import { sessionAnswer } from "./answer.ts";
import {
  hasEnded,
  knownSession,
  lacksScope,
  noSession,
  SESSION_PATH,
  sessionParams,
  unknownSession,
} from "./known-session.ts";
import type { ReplaySessions, Steered } from "./store.ts";

interface SteeringDeps {
  readonly sessions: Pick<ReplaySessions, "get" | "step" | "pause" | "resume">;
}

/** A request is answered when the session has done it, or after this time. */
const ANSWER_WITHIN_MS = 5_000;
const CHECK_EVERY_MS = 25;

const ended = { description: "The session has ended." };

export const stepRoute = ({ sessions }: SteeringDeps): Route =>
  route({
    method: "POST",
    path: `${SESSION_PATH}/step`,
    params: sessionParams,
    summary: "Replays the next requested detections, with all their signals",
    description:
      "For sessions in the mode manual, and for paused ones. The answer comes when the steps are done, or after 5 s. " +
      "The token also needs the scope read.",
    scope: "write",
    body: stepBody,
    answers: {
      200: { description: "The session after the steps, or after 5 s.", schema: replayAnswer },
      403: lacksScope,
      404: unknownSession,
      409: { description: "The session is neither in the mode manual nor paused, or has ended before this step." },
    },
    async handle({ params: { id = "" }, body, gone, principal }) {
      requireRead(principal);
      const stepped = await sessions.step(id, body.count);
      if (stepped === "absent") throw noSession(id);
      if (stepped === "auto") {
        throw new Problem("conflict", `the session ${id} is not in the mode manual, and not paused`);
      }
      if (stepped === "ended") throw pastEnd(id);
      const upTo = stepped.before + body.count;
      const session = await awaitSession(sessions, { id, gone: gone() }, (each) => isPausedAt(each, upTo));
      if (hasEnded(session) && session.progress.steps <= stepped.before) throw pastEnd(id);
      return { status: 200, body: sessionAnswer(session) };
    },
  });

const isPausedAt = ({ state, progress }: ReplayStatus, steps: number): boolean =>
  state === "paused" && progress.steps >= steps;

export const pauseRoute = ({ sessions }: SteeringDeps): Route =>
  route({
    method: "POST",
    path: `${SESSION_PATH}/pause`,
    params: sessionParams,
    summary: "Pauses a session",
    description:
      "A delivery that is under way is finished first, so the answer comes when the session is paused, or after 5 s. " +
      "Nothing is delivered until it is stepped or resumed. A session that nobody steps or resumes ends after " +
      "REPLAY_IDLE_MS (1 hour by default). Nothing happens to one that is paused already. The token also needs the scope read.",
    scope: "write",
    answers: {
      200: { description: "The session when it is paused, or after 5 s.", schema: replayAnswer },
      403: lacksScope,
      404: unknownSession,
      409: ended,
    },
    async handle({ params: { id = "" }, gone, principal }) {
      requireRead(principal);
      check(id, await sessions.pause(id));
      const isPaused = ({ state, steering }: ReplayStatus) => state === "paused" || !steering.isHeld;
      return { status: 200, body: sessionAnswer(await awaitSession(sessions, { id, gone: gone() }, isPaused)) };
    },
  });

export const resumeRoute = ({ sessions }: SteeringDeps): Route =>
  route({
    method: "POST",
    path: `${SESSION_PATH}/resume`,
    params: sessionParams,
    summary: "Lets a session go on by itself",
    description:
      "It continues after its last delivery, and the next signal goes out at once. A session of the mode manual is in the " +
      "mode auto from then on. With `speed`, also one that is not paused changes its speed. The token also needs the scope read.",
    scope: "write",
    body: resumeBody,
    answers: {
      200: { description: "The session.", schema: replayAnswer },
      403: lacksScope,
      404: unknownSession,
      409: ended,
    },
    async handle({ params: { id = "" }, body: { speed }, principal }) {
      requireRead(principal);
      check(id, await sessions.resume(id, speed ?? undefined));
      return { status: 200, body: sessionAnswer(await knownSession(sessions, id)) };
    },
  });

function check(id: string, steered: Steered): void {
  if (steered === "absent") throw noSession(id);
  if (steered === "ended") throw new Problem("conflict", `the session ${id} has ended`);
}

interface Waiting {
  readonly id: string;
  readonly gone: AbortSignal;
}

/** Waits until the session is as the caller wants it, or has ended or was replaced. */
async function awaitSession(
  sessions: SteeringDeps["sessions"],
  { id, gone }: Waiting,
  isSo: (session: ReplayStatus) => boolean,
): Promise<ReplayStatus> {
  let session = await knownSession(sessions, id);
  const { version } = session;
  const isDone = async () => {
    session = await knownSession(sessions, id);
    return isSo(session) || session.version !== version || hasEnded(session);
  };
  await untilSo(isDone, { pauseMs: CHECK_EVERY_MS, withinMs: ANSWER_WITHIN_MS, signal: gone });
  return session;
}

const pastEnd = (id: string) => new Problem("conflict", `the session ${id} has ended: there is nothing to step to`);
