import { expect, test } from "vitest";
import { ApiError } from "../../../../../services/console/data/errors.ts";
import type { Requests } from "../../../../../services/console/data/requests.ts";
import { findSubscription } from "../../../../../services/console/data/rest-lists.ts";

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
