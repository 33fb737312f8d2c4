import { expect, test } from "vitest";
import { ApiError } from "../../../../../services/console/data/errors.ts";
import { askReplays, isAnyOpen, isHeld, newlyEnded } from "../../../../../services/console/data/replay-sessions.ts";
import type { Requests } from "../../../../../services/console/data/requests.ts";
import type { ReplaySession } from "../../../../../services/console/data/rest-lists.ts";

const { signal } = new AbortController();

/** Answers by path; an error is thrown. */
function server(answers: Readonly<Record<string, object>>) {
  const paths: string[] = [];
  const rest: Requests["rest"] = async <Data>(_method: string, path: string) => {
    paths.push(path);
    const answer = answers[path.split("?")[0] ?? ""];
    if (answer instanceof Error) throw answer;
    return answer as Data;
  };
  return { rest, paths };
}

const session = (id: string, more: Partial<ReplaySession> = {}) =>
  ({ id, ended_at: null, steps_asked: null, ...more }) as ReplaySession;
const page = (sessions: readonly ReplaySession[], next_cursor: string | null = null) => ({ sessions, next_cursor });

test("the session that the address names comes first, unless the list has it", async () => {
  const { rest, paths } = server({
    "/api/replay": page([session("own")], "more"),
    "/api/replay/other": session("other"),
  });

  const { sessions, hasMore, error } = await askReplays(rest, "other", signal);
  await askReplays(rest, "own", signal);

  expect(sessions.map(({ id }) => id)).toEqual(["other", "own"]);
  expect([hasMore, error]).toEqual([true, undefined]);
  expect(paths.map((path) => path.split("?")[0])).toEqual(["/api/replay", "/api/replay/other", "/api/replay"]);
});

test("a session that is refused has its error, and hides no other", async () => {
  const error = new ApiError("BAD_REQUEST", "The id is too long.");
  const { rest } = server({ "/api/replay": page([session("own")]), "/api/replay/long": error });

  expect(await askReplays(rest, "long", signal)).toEqual({ sessions: [session("own")], hasMore: false, error });
});

test("without any answer, nothing is known", async () => {
  const error = new ApiError("UNREACHABLE", "No answer.");
  const { rest } = server({ "/api/replay": page([]), "/api/replay/other": error });

  await expect(askReplays(rest, "other", signal)).rejects.toThrow("No answer");
});

test("another question may bring something new while a session is open", () => {
  const list = (...sessions: readonly ReplaySession[]) => ({ sessions, hasMore: false, error: undefined });
  const ended = session("ended", { ended_at: "2026-11-24T14:00:00Z" });

  expect([undefined, list(), list(ended), list(ended, session("open"))].map(isAnyOpen)).toEqual([
    ...[true, false, false, true],
  ]);
});

test("a session has ended anew when the answer before had it open", () => {
  const list = (...sessions: readonly ReplaySession[]) => ({ sessions, hasMore: false, error: undefined });
  const ended = (id: string) => session(id, { ended_at: "2026-11-24T14:00:00Z" });
  const after = list(ended("new"), ended("a"), ended("b"), session("c"));

  expect(newlyEnded(list(session("a"), ended("b"), session("c")), after).map(({ id }) => id)).toEqual(["a"]);
  expect(newlyEnded(undefined, after)).toEqual([]);
});

test("a session waits for steps while there is a number of those it may make", () => {
  const ended = session("ended", { ended_at: "2026-11-24T14:00:00Z", steps_asked: 3 });

  expect([session("a"), session("b", { steps_asked: 0 }), ended].map(isHeld)).toEqual([false, true, false]);
});
