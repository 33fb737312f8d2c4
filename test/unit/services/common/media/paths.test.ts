import { expect, test } from "vitest";
import { checkMediaPath } from "../../../../../schemas/media-path.ts";
import { byteRange } from "../../../../../services/api/http/byte-range.ts";
import { contentTypeOf } from "../../../../../services/common/media/types.ts";

test.each(["a", "a.mp4", "videos/2026/01/cam 1.mp4", "%2e%2e/x", "a..b", "…/x", "x".repeat(255)])(
  "%j is a path",
  (path) => {
    expect(checkMediaPath(path)).toBeUndefined();
  },
);

test.each([
  ["", "empty"],
  ["/etc/passwd", "empty"],
  ["a//b", "empty"],
  ["a/", "empty"],
  ["..", "dot"],
  ["../x", "dot"],
  ["a/../../x", "dot"],
  ["./a", "dot"],
  [".link-key", "dot"],
  ["a/.hidden/b", "dot"],
  ["a\\..\\b", "backslash"],
  ["a\0b", "control"],
  ["a\nb", "control"],
  ["a\ud800", "control"],
  ["x".repeat(256), "255 bytes"],
  ["x/".repeat(600), "896 bytes"],
])("%j is no path", (path, reason) => {
  expect(checkMediaPath(path)?.reason).toContain(reason);
});

test.each([
  [undefined, 10, undefined],
  ["bytes=0-", 10, { first: 0, last: 9 }],
  ["bytes=2-4", 10, { first: 2, last: 4 }],
  ["Bytes=2-400", 10, { first: 2, last: 9 }],
  ["bytes=-3", 10, { first: 7, last: 9 }],
  ["bytes=-300", 10, { first: 0, last: 9 }],
  ["bytes=10-", 10, "unsatisfiable"],
  ["bytes=-0", 10, "unsatisfiable"],
  ["bytes=0-", 0, "unsatisfiable"],
  ["bytes=-1", 0, "unsatisfiable"],
  // A server may ignore these.
  ["bytes=4-2", 10, undefined],
  ["bytes=-", 10, undefined],
  ["bytes=0-1,3-4", 10, undefined],
  ["lines=0-1", 10, undefined],
  ["bytes=0x1-2", 10, undefined],
  ["bytes=99999999999999999999-", 10, undefined],
] as const)("the range %j of %i bytes is %j", (header, bytes, range) => {
  expect(byteRange(header, bytes)).toEqual(range);
});

test("only images and videos have a type of their own", () => {
  expect(["a.PNG", "b.jpeg", "c/d.mp4", "e.html", "f.svg", "g", "h.constructor"].map(contentTypeOf)).toEqual([
    "image/png",
    "image/jpeg",
    "video/mp4",
    ...Array(4).fill("application/octet-stream"),
  ]);
});
