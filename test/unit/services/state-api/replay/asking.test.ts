import { expect, test } from "vitest";
import { createAskHistory } from "../../../../../services/state-api/replay/asking.ts";

const staying = (tokenId: string) => ({ tokenId, gone: new AbortController().signal });

/** A history that never answers. */
function silent() {
  const signals: (AbortSignal | undefined)[] = [];
  const query = (params: { readonly abort_signal?: AbortSignal }) => {
    signals.push(params.abort_signal);
    return new Promise<never>((_, reject) =>
      params.abort_signal?.addEventListener("abort", () => reject(new Error("aborted"))),
    );
  };
  return { signals, history: { query: query as never } };
}

test("the query of a caller that has gone is cancelled, and the next caller has its turn", async () => {
  const { signals, history } = silent();
  const ask = createAskHistory({ history, most: 4, limitMs: 60_000 });
  const leaving = new AbortController();
  const first = ask({ tokenId: "a", gone: leaving.signal }, (client) => client.query({ query: "" }));
  const second = ask(staying("b"), async () => "answer");

  leaving.abort();

  await expect(first).rejects.toThrow("the caller has gone");
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  expect(await second).toBe("answer");
});

test("a query that takes too long is cancelled, and no more requests wait than may", async () => {
  const { signals, history } = silent();
  const ask = createAskHistory({ history, most: 2, limitMs: 1 });
  const asked = ["a", "b"].map((token) => ask(staying(token), (client) => client.query({ query: "" })));
  const ended = Promise.allSettled(asked);

  await expect(ask(staying("c"), async () => "answer")).rejects.toThrow("too many requests");
  expect((await ended).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(signals.every((signal) => signal?.aborted)).toBe(true);
});
