import { expect, test } from "vitest";
import type { DeadLetter } from "../../../../schemas/events.ts";
import { inPortions } from "../../../../services/projector/dead-letters.ts";

const MIB = 1024 * 1024;

const letter = (id: number, bytes: number): DeadLetter => ({
  ...{ id: String(id), topic: "t", partition: 0, offset: id, reason: "bad", recordedAt: 0 },
  ...{ key: null, value: Buffer.alloc(bytes) },
});

test("letters are sent in portions that the publisher takes, in order, each once", () => {
  const letters = [3, 2, 7, 1, 1, 1, 1, 1].map((mib, id) => letter(id, mib * MIB));

  const portions = [...inPortions(letters)].map((portion) => portion.map(({ id }) => Number(id)));

  expect(portions).toEqual([[0], [1], [2], [3, 4, 5, 6], [7]]);
  expect([...inPortions([])]).toEqual([]);
});
