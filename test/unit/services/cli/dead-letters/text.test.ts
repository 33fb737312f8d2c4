import { expect, test } from "vitest";
import {
  bytesText,
  hexDump,
  printable,
  printableJson,
  timeText,
} from "../../../../../services/cli/dead-letters/text.ts";

test.each([
  ["a red word", "\u001b[31ma\u001b[0m", "\\u001b[31ma\\u001b[0m"],
  ["the one-byte form of the same", "\u009b31m", "\\u009b31m"],
  ["line ends and tabs", "a\r\nb\tc\u2028d", "a\\u000d\\u000ab\\u0009c\\u2028d"],
  ["text turned round", "\u202egnp", "\\u202egnp"],
  ["half a character", "\ud800", "\\ud800"],
  ["a format character of two units", "\u{e0001}", "\\udb40\\udc01"],
  ["plain text in any script", "Zoë 東京 🚗", "Zoë 東京 🚗"],
])("%s does not reach the terminal as it is", (_, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test("JSON holds bytes, large integers and what is no number, and can be read again", () => {
  const value = {
    bytes: Buffer.from([0xff, 0]),
    text: Buffer.from("key"),
    big: 2n ** 63n,
    odd: [Number.NaN, -Infinity],
  };

  expect(JSON.parse(printableJson({ ...value, evil: "\u009b31m\u001b\\\u007f" }))).toEqual({
    bytes: "0xff00",
    text: "key",
    big: "9223372036854775808",
    odd: ["NaN", "-Infinity"],
    evil: "\u009b31m\u001b\\\u007f",
  });
  expect(printableJson("\u009b\u001b\u007f\u202e")).toBe('"\\u009b\\u001b\\u007f\\u202e"');
});

test("JSON for people has a ring in one line and strings as they are", () => {
  const value = { rings: [[0, 0, 10.5, -1e21]], none: [], tag: "[ 1,  2 ]\n" };

  const text = printableJson(value, 2);

  expect(text.split("\n")).toEqual([
    "{",
    '  "rings": [',
    "    [0, 0, 10.5, -1e+21]",
    "  ],",
    '  "none": [],',
    '  "tag": "[ 1,  2 ]\\n"',
    "}",
  ]);
  expect(JSON.parse(text)).toEqual(value);
});

test("bytes that are text are shown as text, others in hex, and only their beginning", () => {
  expect(bytesText(Buffer.from("camera 1"))).toBe("camera 1");
  expect(bytesText(Buffer.from([0xc3, 0x28]))).toBe("0xc328");
  expect(bytesText(Buffer.alloc(600, "a"))).toBe(`${"a".repeat(512)}... (600 bytes)`);
});

test("a hex dump shows 16 bytes a line and stops after 512", () => {
  expect(hexDump(Buffer.from("not Avro at all\n\u001b"))).toBe(
    [
      "00000000  6e 6f 74 20 41 76 72 6f 20 61 74 20 61 6c 6c 0a  |not Avro at all.|",
      `00000010  1b${" ".repeat(45)}  |.|`,
    ].join("\n"),
  );
  expect(hexDump(Buffer.alloc(513)).split("\n")).toHaveLength(32);
  expect(hexDump(Buffer.alloc(0))).toBe("");
});

test("a time outside the calendar is told as its number", () => {
  expect(timeText(0)).toBe("1970-01-01T00:00:00.000Z");
  expect(timeText(9e15)).toBe("9000000000000000 ms");
});
