// The sessions that the page of replays shows, each with its own fault: one that is refused hides no other.
import { type ApiError, shownError } from "./errors.ts";
import type { Requests } from "./requests.ts";
import { type ReplaySession, replayPath } from "./rest-lists.ts";

export interface KnownSession {
  readonly id: string;
  /** The session as the last answer had it. */
  readonly session: ReplaySession | undefined;
  /** Why there is no newer answer. */
  readonly error: ApiError | undefined;
}

/**
 * @param before the answers of the last time: a session that has ended does not change.
 * @throws ApiError when the server does not answer.
 */
export const askReplaySessions = (
  rest: Requests["rest"],
  ids: readonly string[],
  before: readonly KnownSession[],
  signal: AbortSignal,
): Promise<readonly KnownSession[]> =>
  Promise.all(
    ids.map(async (id): Promise<KnownSession> => {
      const known = before.find((each) => each.id === id);
      if (known?.session !== undefined && known.session.ended_at !== null) return known;
      try {
        const session = await rest<ReplaySession>("GET", replayPath(id), undefined, signal);
        return { id, session, error: undefined };
      } catch (thrown) {
        const error = shownError(thrown);
        if (error.code === "UNREACHABLE") throw error;
        return { id, session: known?.session, error };
      }
    }),
  );

/** Whether another question may bring something new. */
export const isAnyOpen = (sessions: readonly KnownSession[] | undefined): boolean =>
  sessions?.some(({ session }) => session?.ended_at === null) ?? true;
