import { buildSchema, parse, validate } from "graphql";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { typeDefs } from "../../../../../services/api/graphql/sdl.ts";
import type { Asks } from "../../../../../services/console/data/asks.ts";
import { documentFor, NewestImages } from "../../../../../services/console/data/newest-images.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function asked() {
  const requests: Readonly<Record<string, string>>[] = [];
  const seen: string[] = [];
  const ask = async (_document: string, variables: Readonly<Record<string, string>>) => {
    requests.push(variables);
    const images = Object.entries(variables).map(([name, id]) => {
      const edges = id === "without" ? [] : [{ node: { url: `/${id}.jpg`, timestamp: "2026-11-24T12:00:00Z" } }];
      return [name.replace("id", "of"), { edges }];
    });
    return Object.fromEntries(images);
  };
  const onImage = (id: string, { url }: { url: string }) => void seen.push(`${id} ${url}`);
  return { requests, seen, newest: new NewestImages({ ask } as unknown as Asks, onImage, Date.now) };
}

test("the question for many cameras is one of the schema", () => {
  expect(validate(buildSchema(typeDefs), parse(documentFor(16)))).toEqual([]);
});

test("cameras that are wanted together share a request, and each has its own image", async () => {
  const { requests, seen, newest } = asked();
  for (const id of ["west", "without", "east"]) newest.want(id);
  await vi.advanceTimersByTimeAsync(200);

  expect(requests).toEqual([{ id0: "west", id1: "without", id2: "east" }]);
  expect(seen).toEqual(["west /west.jpg", "east /east.jpg"]);
});

test("a camera is asked for at most once a minute, however often it comes on the screen", async () => {
  const { requests, newest } = asked();
  for (let second = 0; second < 119; second++) {
    newest.want("west");
    await vi.advanceTimersByTimeAsync(1_000);
  }

  expect(requests).toHaveLength(2);
});

test("a camera that leaves the screen at once is not asked for", async () => {
  const { requests, newest } = asked();
  newest.want("west");
  newest.drop("west");
  await vi.advanceTimersByTimeAsync(200);

  expect(requests.flatMap(Object.values)).toEqual([]);
});
