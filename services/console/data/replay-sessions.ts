// The sessions that the page of replays shows: those of the list, and the one that the address names.
import { type ApiError, shownError } from "./errors.ts";
import type { Requests } from "./requests.ts";
import { type ReplaySession, replayPath } from "./rest-lists.ts";

export interface ReplayList {
  /** The newest first. */
  readonly sessions: readonly ReplaySession[];
  /** There are older ones. */
  readonly hasMore: boolean;
  /** Why the session that the address names is not among them. */
  readonly error: ApiError | undefined;
}

interface Page {
  readonly sessions: readonly ReplaySession[];
  readonly next_cursor: string | null;
}

/** More than a person looks through. */
const MOST = 50;

/**
 * @param id of the session that the address names; the list has no ended ones of other tokens.
 * @throws ApiError when the list is refused, or the server does not answer.
 */
export async function askReplays(
  rest: Requests["rest"],
  id: string | undefined,
  signal: AbortSignal,
): Promise<ReplayList> {
  const { sessions, next_cursor } = await rest<Page>("GET", `/api/replay?limit=${MOST}`, undefined, signal);
  const list = { sessions, hasMore: next_cursor !== null, error: undefined };
  if (id === undefined || sessions.some((each) => each.id === id)) return list;
  try {
    const named = await rest<ReplaySession>("GET", replayPath(id), undefined, signal);
    return { ...list, sessions: [named, ...sessions] };
  } catch (thrown) {
    const error = shownError(thrown);
    if (error.code === "UNREACHABLE") throw error;
    return { ...list, error };
  }
}

/** Whether another question may bring something new. */
export const isAnyOpen = (list: ReplayList | undefined): boolean =>
  list?.sessions.some(({ ended_at }) => ended_at === null) ?? true;

/** @returns the sessions that have ended between the two answers. */
export function newlyEnded(before: ReplayList | undefined, after: ReplayList): readonly ReplaySession[] {
  const open = new Set(before?.sessions.filter(({ ended_at }) => ended_at === null).map(({ id }) => id));
  return after.sessions.filter(({ id, ended_at }) => ended_at !== null && open.has(id));
}

/** Sessions wait for steps in the mode manual, and while they are paused. */
export const isHeld = ({ steps_asked, ended_at }: ReplaySession): boolean => steps_asked !== null && ended_at === null;
