// The things that the routes of one session have in common.
import type { ReplayStatus } from "../../../projections/replay/session.ts";
import { Problem } from "../http/problem.ts";
import type { ReplaySessions } from "./store.ts";

export const SESSION_PATH = "/api/replay/{id}";
export const sessionParams = { id: "Id of the session, which the caller chooses" };
export const unknownSession = { description: "There is no such session." };
export const lacksScope = { description: "The token lacks the scope write or the scope read." };

/** Rejects with a Problem when there is no session with this id. */
export async function knownSession(sessions: Pick<ReplaySessions, "get">, id: string): Promise<ReplayStatus> {
  const session = await sessions.get(id);
  if (session === undefined) throw noSession(id);
  return session;
}

export const noSession = (id: string) => new Problem("not-found", `there is no replay session ${id}`);

export const hasEnded = ({ state }: Pick<ReplayStatus, "state">): boolean => state === "finished" || state === "failed";
