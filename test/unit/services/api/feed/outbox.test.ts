import { expect, test } from "vitest";
import { createOutbox, type Outbox, type Waiting } from "../../../../../services/api/feed/outbox.ts";

interface Item extends Waiting {
  readonly name: string;
}

const item = (name: string, mergeKey?: string, bytes = 1): Item => ({ name, mergeKey, bytes });
const ROOMY = { maxMessages: 100, maxBytes: 1_000 };

function drain(outbox: Outbox<Item>): string[] {
  const names: string[] = [];
  for (let next = outbox.shift(); next !== undefined; next = outbox.shift()) names.push(next.name);
  return names;
}

test("of those under one key the newest is kept, at the end", () => {
  const outbox = createOutbox<Item>(ROOMY);

  for (const each of [item("a1", "a"), item("start"), item("b1", "b"), item("a2", "a"), item("end")]) outbox.push(each);

  expect(outbox.size).toBe(4);
  expect(drain(outbox)).toEqual(["start", "b1", "a2", "end"]);
});

test("what has left is not merged with what comes", () => {
  const outbox = createOutbox<Item>(ROOMY);

  outbox.push(item("a1", "a"));
  expect(drain(outbox)).toEqual(["a1"]);
  outbox.push(item("a2", "a"));
  outbox.push(item("a3", "a"));
  expect(drain(outbox)).toEqual(["a3"]);
});

test("beyond the number of messages or bytes there is no room, but merging makes some", () => {
  const few = createOutbox<Item>({ maxMessages: 2, maxBytes: 1_000 });
  const small = createOutbox<Item>({ maxMessages: 10, maxBytes: 10 });

  expect([few.push(item("a", "a")), few.push(item("b")), few.push(item("c")), few.push(item("a2", "a"))]).toEqual([
    true,
    true,
    false,
    true,
  ]);
  expect([small.push(item("a", "a", 6)), small.push(item("b", undefined, 6)), small.push(item("a2", "a", 9))]).toEqual([
    true,
    false,
    true,
  ]);
  expect(drain(few)).toEqual(["b", "a2"]);
});

test("a lone item always fits", () => {
  const outbox = createOutbox<Item>({ maxMessages: 1, maxBytes: 10 });

  expect([outbox.push(item("large", undefined, 100)), outbox.push(item("small"))]).toEqual([true, false]);
});

test("cleared, it is as new", () => {
  const outbox = createOutbox<Item>({ maxMessages: 1, maxBytes: 10 });
  outbox.push(item("a", "a", 10));
  outbox.clear();

  expect([outbox.size, outbox.push(item("b", "a", 10)), drain(outbox)]).toEqual([0, true, ["b"]]);
});
