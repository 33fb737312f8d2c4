import { expect, test } from "vitest";
import { Bytes } from "../../../../../services/projector/native/bytes.ts";
import { columnType } from "../../../../../services/projector/native/column-types.ts";

function written(type: string, values: readonly unknown[]): string {
  const bytes = new Bytes(Buffer.alloc(1));
  columnType(type)?.write(bytes, values);
  return bytes.written().toString("hex");
}

test.each([
  ["UInt16", [1, 258, null, 65_536], "0100020100000000"],
  ["Int64", [-2, 2 ** 53], "feffffffffffffff0000000000002000"],
  ["DateTime64(3, 'UTC')", [-1], "ffffffffffffffff"],
  ["Float64", [1, -0, Number.NaN], "000000000000f03f00000000000000000000000000000000"],
  ["String", ["a", "", "é"], "01610002c3a9"],
  ["Nullable(Bool)", [true, null, false], "000100010000"],
  ["Array(UInt8)", [[1, 2], [], [3]], "020000000000000002000000000000000300000000000000010203"],
  ["Tuple(UInt8, String)", [[1, "a"], null], "0100016100"],
  ["Map(String, UInt8)", [{ a: 1 }], "0100000000000000016101"],
  ["SimpleAggregateFunction(max, Tuple(UInt8, Bool))", [[1, true]], "0101"],
])("%s: %j", (type, values, hex) => {
  expect(written(type, values)).toBe(hex);
});

test.each([
  ["LowCardinality(Nullable(String))", "Nullable(String)"],
  ["SimpleAggregateFunction(max, Tuple(UInt64, Nullable(String)))", "Tuple(UInt64, Nullable(String))"],
  ["Map(String, Tuple(UInt64, UInt32))", "Map(String, Tuple(UInt64, UInt32))"],
  ["Array(Array(Float64))", "Array(Array(Float64))"],
  ["Array(LowCardinality(String))", "Array(String)"],
  ["Map(LowCardinality(String), LowCardinality(Nullable(String)))", "Map(String, Nullable(String))"],
])("a column of %s is sent as %s", (name, sent) => {
  expect(columnType(name)?.name).toBe(sent);
});

test.each(["FixedString(5)", "Tuple(a UInt8)", "Array(UUID)", "Decimal(9, 2)", "", "Array()"])(
  "%s is no type of the history",
  (name) => {
    expect(columnType(name)).toBeUndefined();
  },
);

test.each([
  ["UInt64", "7"],
  ["DateTime64(3, 'UTC')", 1.5],
  ["String", 5],
  ["Float64", 5n],
  ["Array(String)", "a"],
  ["Tuple(UInt8, UInt8)", [1]],
])("%s takes no %o", (type, value) => {
  expect(() => written(type, [value])).toThrow(TypeError);
});
