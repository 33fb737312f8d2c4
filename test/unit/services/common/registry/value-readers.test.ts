import { expect, test } from "vitest";
import { createSchemasById } from "../../../../../services/common/registry/schemas-by-id.ts";
import { createValueReaders } from "../../../../../services/common/registry/value-readers.ts";
import { withSchemaId } from "../../../../support/scenes/schemas.ts";

const named = (id: number) => withSchemaId(id, Buffer.from([0]));
const range = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

/** A registry with schemas of 32 KiB, of which 64 are kept. */
function createReaders() {
  let fetched = 0;
  const schemas = createSchemasById(
    async () => {
      fetched += 1;
      return { ok: true, schema: "x".repeat(32 * 1024) };
    },
    () => ({ name: "reader" }),
  );
  return { ...createValueReaders(schemas), fetched: () => fetched };
}

test("a value that was loaded can be read, however many schemas are loaded before that", async () => {
  const { loadSchemas, find } = createReaders();
  const waiting = named(1);
  await loadSchemas([waiting]);

  for (const id of range(100, 70)) await loadSchemas([named(id)]);

  expect(find(named(1), 1)).toBeUndefined();
  expect(find(waiting, 1)).toEqual({ name: "reader" });
});

test("a schema that had to make room is loaded again for the values that name it later", async () => {
  const { loadSchemas, find } = createReaders();
  await loadSchemas([named(1)]);
  for (const id of range(100, 70)) await loadSchemas([named(id)]);
  const later = named(1);

  await loadSchemas([later]);

  expect(find(later, 1)).toEqual({ name: "reader" });
});

test("of values that name many schemas only the first are loaded: those of 16 schemas that the caller holds", async () => {
  const { loadSchemas, fetched } = createReaders();
  const held = new Set<number>();
  const values = [...range(1, 20), 3, 21].map(named);

  expect(await loadSchemas([named(3), named(30)], { held })).toBeUndefined();
  expect(await loadSchemas(values, { held })).toBe(15);

  expect(fetched()).toBe(16);
});

test("in a topic that only tracklog writes all values are loaded", async () => {
  const { loadSchemas, find } = createReaders();
  const values = range(1, 100).map(named);

  expect(await loadSchemas(values, { topic: "some.namespace.catalog" })).toBeUndefined();

  for (const [i, value] of values.entries()) expect(find(value, i + 1)).toEqual({ name: "reader" });
});
