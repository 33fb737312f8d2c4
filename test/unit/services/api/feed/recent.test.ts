import { expect, test } from "vitest";
import type { FeedMessage } from "../../../../../projections/feed/kind.ts";
import { createRecent } from "../../../../../services/api/feed/recent.ts";

const message = { kind: "devices" } as FeedMessage;
const entry = (partition: number, offset: number, bytes = 1, messages: readonly FeedMessage[] = []) => ({
  partition,
  offset,
  bytes,
  messages,
});

test("the newest entries are kept under their numbers", () => {
  const recent = createRecent([10, 20], { maxMessages: 3, maxBytes: 10_000 });
  for (const each of [entry(0, 10), entry(1, 20), entry(0, 11), entry(0, 12)]) recent.push(each);

  expect([recent.first, recent.end]).toEqual([1, 4]);
  expect([0, 1, 3, 4].map((number) => recent.at(number)?.offset)).toEqual([undefined, 20, 12, undefined]);
});

test("it covers what lies at or after its oldest entries, by partition", () => {
  const recent = createRecent([10, 20], { maxMessages: 2, maxBytes: 10_000 });
  expect([recent.covers([10, 20]), recent.covers([9, 20]), recent.covers([10])]).toEqual([true, false, false]);

  for (const each of [entry(0, 10), entry(1, 20), entry(0, 11)]) recent.push(each);

  expect([recent.covers([10, 20]), recent.covers([11, 20])]).toEqual([false, true]);
});

test("large entries leave room for fewer", () => {
  const recent = createRecent([0], { maxMessages: 100, maxBytes: 20_000 });
  for (let offset = 0; offset < 5; offset++) recent.push(entry(0, offset, 1_000, [message]));

  expect([recent.first, recent.end]).toEqual([3, 5]);
});

test("an entry counts with what its messages take in memory, and hardly when it has none", () => {
  const recent = createRecent([0], { maxMessages: 1_000, maxBytes: 20_000 });
  for (let offset = 0; offset < 100; offset++) recent.push(entry(0, offset, 1_000));
  expect([recent.first, recent.end]).toEqual([0, 100]);

  recent.push(entry(0, 100, 2_400, [message]));

  expect([recent.first, recent.end]).toEqual([93, 101]);
});

test("numbers stay right over many thousand entries", () => {
  const recent = createRecent([0], { maxMessages: 100, maxBytes: 10_000_000 });
  for (let offset = 0; offset < 10_000; offset++) recent.push(entry(0, offset));

  expect([recent.first, recent.end, recent.at(9_900)?.offset, recent.at(9_999)?.offset]).toEqual([
    9_900, 10_000, 9_900, 9_999,
  ]);
});
