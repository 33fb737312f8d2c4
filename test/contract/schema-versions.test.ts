// Schemas only grow: the present schema must be able to read every version that was ever written. The versions are in
// schemas/versions; the newest one of a record is the registered one.
import { readdirSync, readFileSync } from "node:fs";
import avro from "avsc";
import { describe, expect, test } from "vitest";
import { records } from "../../schemas/events.ts";

const FOLDER = new URL("../../schemas/versions/", import.meta.url);

interface Version {
  readonly name: string;
  readonly number: number;
  readonly schema: avro.Schema;
}

const versions: readonly Version[] = readdirSync(FOLDER).map((file) => {
  const [, name = "", number] = /^(\w+)\.v(\d+)\.json$/.exec(file) ?? [];
  return { name, number: Number(number), schema: JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")) };
});

const plain = (schema: unknown): avro.Schema => JSON.parse(JSON.stringify(schema));

/** Throws when data written with the one schema cannot be read with the other. */
const readWith = (reader: avro.Schema, writer: avro.Schema) =>
  avro.Type.forSchema(reader).createResolver(avro.Type.forSchema(writer));

describe.each(Object.entries(records))("%s", (name, record) => {
  const own = versions.filter((version) => version.name === name).sort((a, b) => a.number - b.number);

  test("its newest kept version is the schema of today", () => {
    expect(own.at(-1)?.schema).toEqual(plain(record));
  });

  test.each(own)("version $number can be read", ({ schema }) => {
    expect(() => readWith(plain(record), schema)).not.toThrow();
  });
});

test("a new field without a default is refused", () => {
  const grown = plain(records.TrackExpired) as { fields: unknown[] };
  grown.fields.push({ name: "camera", type: "string" });

  expect(() => readWith(grown as unknown as avro.Schema, plain(records.TrackExpired))).toThrow(/camera/);
});

test("a field that changes its type is refused", () => {
  const changed = plain(records.TrackExpired) as { fields: { name: string; type: unknown }[] };
  for (const field of changed.fields) if (field.name === "endTime") field.type = "string";

  expect(() => readWith(changed as unknown as avro.Schema, plain(records.TrackExpired))).toThrow();
});
