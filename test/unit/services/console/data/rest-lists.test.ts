import { expect, test } from "vitest";
import { ApiError } from "../../../../../services/console/data/errors.ts";
import type { Requests } from "../../../../../services/console/data/requests.ts";
import {
  createSubscription,
  findSubscription,
  foundSubscriptions,
  listSubscriptions,
  type WebhookSubscription,
} from "../../../../../services/console/data/rest-lists.ts";

const answering =
  (answer: object): Requests["rest"] =>
  async <Data>(method: string, path: string) => {
    if (answer instanceof Error) throw answer;
    return { method, path, ...answer } as Data;
  };

test("one subscription is asked for by its id, whatever the id", async () => {
  expect(await findSubscription(answering({}), "a/b")).toEqual({ method: "GET", path: "/api/subscriptions/a%2Fb" });
});

test("only NOT_FOUND says that an id is free", async () => {
  expect(await findSubscription(answering(new ApiError("NOT_FOUND", "None.")), "a")).toBeUndefined();
  await expect(findSubscription(answering(new ApiError("UNREACHABLE", "No answer.")), "a")).rejects.toThrow(
    "No answer",
  );
});

const named = (id: string, workflow_name = "") =>
  ({ id, webhook_url: "https://receiver.example/", workflow_name, workflow_id: null }) as WebhookSubscription;

/** A server whose pages have two subscriptions at most, as when these are long. */
function shortPages(ids: readonly string[]) {
  const asked: string[] = [];
  const rest: Requests["rest"] = async <Data>(_method: string, path: string) => {
    asked.push(path);
    const query = new URLSearchParams(path.split("?")[1]);
    const from = Number(query.get("cursor") ?? 0);
    const to = from + Math.min(2, Number(query.get("limit")));
    const next_cursor = to < ids.length ? String(to) : null;
    return { subscriptions: ids.slice(from, to).map((id) => named(id)), next_cursor } as Data;
  };
  return { rest, asked };
}

test("a page that ends early is no end of the list", async () => {
  const { rest, asked } = shortPages(["a", "b", "c", "d", "e"]);
  const { signal } = new AbortController();

  const first = await listSubscriptions(rest, 3, signal);
  expect(first.subscriptions.map(({ id }) => id)).toEqual(["a", "b", "c"]);
  expect(first.hasMore).toBe(true);
  expect(asked).toEqual(["/api/subscriptions?limit=3", "/api/subscriptions?limit=1&cursor=2"]);

  const all = await listSubscriptions(rest, 10_000, signal);
  expect(all.subscriptions.map(({ id }) => id)).toEqual(["a", "b", "c", "d", "e"]);
  expect(all.hasMore).toBe(false);
});

test("a search finds webhooks by words of their id, receiver and workflow", () => {
  const all = [named("gate-1", "Alarm"), named("gate-2"), named("door")];
  const found = (text: string) => foundSubscriptions(all, text).map(({ id }) => id);
  expect(found("")).toEqual(["gate-1", "gate-2", "door"]);
  expect(found("GATE alarm")).toEqual(["gate-1"]);
  expect(found("receiver.example 2")).toEqual(["gate-2"]);
});

test("a webhook is made on the condition that it is new, and an id that is taken is a fault of that field", async () => {
  const sent: unknown[] = [];
  const rest: Requests["rest"] = async <Data>(...request: unknown[]) => {
    sent.push(request);
    if (sent.length > 1) throw new ApiError("PRECONDITION_FAILED", "there is a subscription gate already");
    return { secret: "whsec_1" } as Data;
  };

  expect(await createSubscription(rest, "gate", { mode: "batch" })).toBe("whsec_1");
  expect(sent).toEqual([["POST", "/api/subscriptions/gate", { mode: "batch" }, undefined, { "if-none-match": "*" }]]);
  await expect(createSubscription(rest, "gate", {})).rejects.toMatchObject({
    code: "CONFLICT",
    faults: [{ pointer: "#/path/id", detail: "There is a webhook with this id." }],
  });
});
