import { expect, test } from "vitest";
import { ApiError } from "../../../../../services/console/data/errors.ts";
import { askReplaySessions, isAnyOpen } from "../../../../../services/console/data/replay-sessions.ts";
import type { Requests } from "../../../../../services/console/data/requests.ts";

const { signal } = new AbortController();

/** Answers with what is known of the id at the end of the path; an error is thrown. */
function server(answers: Readonly<Record<string, object>>) {
  const paths: string[] = [];
  const rest: Requests["rest"] = async <Data>(_method: string, path: string) => {
    paths.push(path);
    const answer = answers[path.split("/").at(-1) ?? ""];
    if (answer instanceof Error) throw answer;
    return answer as Data;
  };
  return { rest, paths };
}

test("a session that is refused has its own error, and hides no other", async () => {
  const error = new ApiError("BAD_REQUEST", "The id is too long.");
  const { rest } = server({ long: error, good: { id: "good", ended_at: null } });

  expect(await askReplaySessions(rest, ["long", "good"], [], signal)).toEqual([
    { id: "long", session: undefined, error },
    { id: "good", session: { id: "good", ended_at: null }, error: undefined },
  ]);
});

test("a session that has ended is not asked again", async () => {
  const { rest, paths } = server({ ended: { ended_at: "2026-11-24T14:00:00Z" }, open: { ended_at: null } });
  const first = await askReplaySessions(rest, ["ended", "open"], [], signal);
  const second = await askReplaySessions(rest, ["ended", "open"], first, signal);

  expect(second).toEqual(first);
  expect(paths).toEqual(["/api/replay/ended", "/api/replay/open", "/api/replay/open"]);
  expect([isAnyOpen(undefined), isAnyOpen(first), isAnyOpen(first.slice(0, 1))]).toEqual([true, true, false]);
});

test("without any answer, nothing is known", async () => {
  const { rest } = server({ a: new ApiError("UNREACHABLE", "The server did not answer.") });

  await expect(askReplaySessions(rest, ["a"], [], signal)).rejects.toThrow("did not answer");
});
