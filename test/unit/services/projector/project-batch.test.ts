import { expect, test } from "vitest";
import { namedKinds } from "../../../../projections/history/kinds.ts";
import { eventBoundsEnv, eventBoundsOf } from "../../../../schemas/bounds.ts";
import { COPIED_FROM } from "../../../../schemas/headers.ts";
import { createFlush, projectBatch } from "../../../../services/projector/project-batch.ts";
import { unreadable } from "../../../support/scenes/unreadable.ts";

test("a flush is full when its messages hold 32 MiB, however short their values are", () => {
  const messages = Array.from({ length: 10 }, (_, offset) => ({
    key: null,
    value: Buffer.from("x"),
    timestamp: "1",
    attributes: 0,
    headers: {},
    offset: String(offset),
    retainedBytes: 15 * 1024 * 1024,
  }));
  const flush = createFlush();
  const batch = { topic: "camera-log", partition: 0, messages, next: 10, highWatermark: 10 };
  const bounds = eventBoundsOf(eventBoundsEnv.parse({}));

  const taken = projectBatch(flush, batch, 0, { codec: unreadable, topics: namedKinds(""), bounds, maxRows: 20_000 });

  expect(taken).toBe(3);
  expect(flush.rejected).toHaveLength(3);
});

test("an unreadable copy from another namespace becomes no dead letter, because the letter is copied, too", () => {
  const message = { key: null, value: Buffer.from("x"), timestamp: "1", attributes: 0 };
  const messages = [
    { ...message, headers: { [COPIED_FROM]: Buffer.from("0/7") }, offset: "0" },
    { ...message, headers: {}, offset: "1" },
  ];
  const flush = createFlush();
  const bounds = eventBoundsOf(eventBoundsEnv.parse({}));
  const batch = { topic: "camera-log", partition: 0, messages, next: 2, highWatermark: 2 };

  projectBatch(flush, batch, 0, { codec: unreadable, topics: namedKinds(""), bounds, maxRows: 20_000 });

  expect(flush.rejected.map(({ offset }) => offset)).toEqual([1]);
});
