import { expect, test } from "vitest";
import { textFrame } from "../../../../../services/api/subscriptions/ws-wire.ts";

const empty = Buffer.alloc(0);

test.for([
  [0, "8100"],
  [125, "817d"],
  [126, "817e007e"],
  [65_535, "817effff"],
  [65_536, "817f0000000000010000"],
] as const)("a text of %i bytes is framed by %s", ([length, header]) => {
  const frame = textFrame(empty, Buffer.alloc(length, "x"), empty);

  expect(frame.subarray(0, frame.length - length).toString("hex")).toBe(header);
});

test("the parts follow one another", () => {
  expect(textFrame(Buffer.from("a"), Buffer.from("bc"), Buffer.from("d")).subarray(2).toString()).toBe("abcd");
});
