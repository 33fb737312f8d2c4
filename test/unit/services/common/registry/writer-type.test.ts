import avro from "avsc";
import { expect, test } from "vitest";
import { useBoundedLists } from "../../../../../services/common/registry/bounded-lists.ts";
import { MAX_SCHEMA_CHARACTERS, writerType } from "../../../../../services/common/registry/writer-type.ts";

useBoundedLists();

const record = (fields: readonly object[]) => ({ type: "record", name: "R", fields });
const NAMES = new Set(["R", "L39"]);
const registered = (schema: object, more: object = {}) =>
  ({ ok: true, schema: JSON.stringify(schema), ...more }) as const;

test.each([
  [registered({}, { schemaType: "JSON" }), "it is JSON, not Avro"],
  [registered({}, { schemaType: "PROTOBUF" }), "it is PROTOBUF, not Avro"],
  [registered(record([]), { references: [{ name: "x" }] }), "it refers to other schemas"],
  [registered(record([{ name: "none", type: "null" }])), "it has a part without a byte"],
  [registered(record([{ name: "list", type: { type: "array", items: "null" } }])), "it has a part without a byte"],
  [
    registered(record([{ name: "list", type: { type: "array", items: { ...record([]), name: "E" } } }])),
    "without a byte",
  ],
])("a schema that cannot be read, or not without harm, is refused: %j", (schema, reason) => {
  expect(() => writerType(schema, NAMES)).toThrow(reason);
});

const NONSENSE = [{ name: "no type" }];

test.each([
  [{ ...record(NONSENSE), name: "S" }, "it is no record of tracklog"],
  [{ ...record(NONSENSE), namespace: "n" }, "it is no record of tracklog"],
  [{ ...record(NONSENSE), type: "fixed" }, "it is no record of tracklog"],
  [[record(NONSENSE)], "it is no record of tracklog"],
  [{ ...record(NONSENSE), doc: "x".repeat(MAX_SCHEMA_CHARACTERS) }, "it is longer than 32768 characters"],
])("a schema that is too long, or of another record, is not even compiled: %#", (schema, reason) => {
  expect(() => writerType(registered(schema), NAMES)).toThrow(reason);
});

test.each([
  ["n.R", {}],
  ["R", { namespace: "n" }],
  ["n.R", { namespace: "m" }],
])("a record is known by its full name: %s %j", (name, more) => {
  const schema = { ...record([{ name: "x", type: "long" }]), name, ...more };

  expect(writerType(registered(schema), new Set(["n.R"])).name).toBe("n.R");
});

test("a schema whose types double with each level is refused", () => {
  let type: object = { type: "long" };
  for (let level = 0; level < 40; level++) {
    const name = `L${level}`;
    type = {
      type: "record",
      name,
      fields: [
        { name: "a", type },
        { name: "b", type: level === 0 ? "long" : `L${level - 1}` },
      ],
    };
  }

  expect(() => writerType(registered(type), NAMES)).toThrow("it nests too many types");
});

test("a type within itself is read", () => {
  const next = { name: "next", type: ["null", "R"] };
  const type = writerType(registered(record([{ name: "x", type: "long" }, next])), NAMES);

  expect(type.fromBuffer(type.toBuffer({ x: 1, next: { x: 2, next: null } }))).toMatchObject({ next: { x: 2 } });
});

const LISTS = {
  array: { type: "array", items: "long" },
  map: { type: "map", values: "long" },
} as const;
/** 2^38 items, and none of them. */
const ENDLESS = Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]);

test.each(["array", "map"] as const)(
  "a value of a few bytes that promises an endless %s is refused at once",
  (kind) => {
    const type = avro.Type.forSchema({ ...record([{ name: "list", type: LISTS[kind] }]) } as avro.Schema);
    const reader = avro.Type.forSchema(record([]) as avro.Schema);

    expect(() => type.fromBuffer(ENDLESS)).toThrow("a list is longer than its message");
    expect(() => reader.fromBuffer(ENDLESS, reader.createResolver(type))).toThrow("a list is longer than its message");
  },
);

test("lists of several blocks, also of blocks with their sizes, are read and passed over", () => {
  const array = avro.Type.forSchema(LISTS.array as avro.Schema);
  const map = avro.Type.forSchema(LISTS.map as avro.Schema);
  const writer = avro.Type.forSchema(
    record([
      { name: "a", type: LISTS.array },
      { name: "m", type: LISTS.map },
      { name: "x", type: "long" },
    ]) as avro.Schema,
  );
  const reader = avro.Type.forSchema(record([{ name: "x", type: "long" }]) as avro.Schema);
  // A block of one item; a block of two items with its size, 2 bytes; the end.
  const arrayBytes = [2, 2, 3, 4, 4, 6, 0];
  const mapBytes = [2, 2, 0x61, 2, 1, 6, 2, 0x62, 4, 0];

  expect(array.fromBuffer(Buffer.from(arrayBytes))).toEqual([1, 2, 3]);
  expect(map.fromBuffer(Buffer.from(mapBytes))).toEqual({ a: 1, b: 2 });
  const all = Buffer.from([...arrayBytes, ...mapBytes, 14]);
  expect(reader.fromBuffer(all, reader.createResolver(writer))).toEqual({ x: 7 });
});
