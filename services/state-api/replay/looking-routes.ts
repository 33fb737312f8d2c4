// Lists of sessions and of their signals.
import { may } from "../../../projections/catalog/tokens.ts";
import { replaysAnswer, replaysQuery } from "../../../schemas/rest/replay.ts";
import { replaySignalsAnswer, replaySignalsQuery } from "../../../schemas/rest/replay-signals.ts";
import { type Route, route } from "../http/route.ts";
import { pageOf } from "../shared/page.ts";
import { sessionAnswer } from "./answer.ts";
import { knownSession, SESSION_PATH, sessionParams, unknownSession } from "./known-session.ts";
import type { ListedSession, ReplaySessions } from "./store.ts";

interface LookingDeps {
  readonly sessions: Pick<ReplaySessions, "get" | "list" | "signals">;
}

export const listRoute = ({ sessions }: LookingDeps): Route =>
  route({
    method: "GET",
    path: "/api/replay",
    summary: "Lists the sessions that the token began, the newest first",
    description:
      "A token with the scope admin also sees the sessions of other tokens that have not ended. A page ends earlier than " +
      "at `limit` when its sessions have 4 MiB together.",
    scope: "read",
    query: replaysQuery,
    answers: { 200: { description: "A page of the list.", schema: replaysAnswer } },
    async handle({ query: { cursor, limit }, principal }) {
      const found = await sessions.list(principal.tokenId, may(principal, "admin") ? "all" : "own");
      const all = found.map((session) => ({ ...session, key: newestFirst(session) }));
      const textOf = async ({ id }: ListedSession) => {
        const session = await sessions.get(id);
        return session && JSON.stringify(sessionAnswer(session));
      };
      return { status: 200, body: await pageOf({ name: "sessions", all, cursor, limit, textOf }) };
    },
  });

/** Keys in the order of texts: that of a later session comes first. */
const newestFirst = ({ id, createdAt }: ListedSession): string =>
  `${String(Number.MAX_SAFE_INTEGER - createdAt).padStart(16, "0")} ${id}`;

export const signalsRoute = ({ sessions }: LookingDeps): Route =>
  route({
    method: "GET",
    path: `${SESSION_PATH}/signals`,
    params: sessionParams,
    summary: "Returns the newest signals of a session",
    description:
      "The newest 200 signals are kept, 256 KiB of them at most, for the 16 newest sessions of a token, and until their " +
      "session is forgotten. They can be looked at some tenths of a second after their delivery.",
    scope: "read",
    query: replaySignalsQuery,
    answers: {
      200: { description: "Signals after `after`.", schema: replaySignalsAnswer },
      404: unknownSession,
    },
    async handle({ params: { id = "" }, query: { after, limit } }) {
      const { version } = await knownSession(sessions, id);
      const signals = await sessions.signals(version, after, limit);
      const last = signals.at(-1)?.number ?? after;
      return { status: 200, body: { signals, last, passed_over: last - after - signals.length } };
    },
  });
