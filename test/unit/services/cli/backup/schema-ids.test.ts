import { expect, test } from "vitest";
import { savedTopics } from "../../../../../services/cli/backup/format.ts";
import { registerAll, withSchemaIds } from "../../../../../services/cli/backup/schema-ids.ts";

const value = (id: number) => Buffer.concat([Buffer.from([0, 0, 0, 0, id]), Buffer.from("avro")]);

test("a message gets the id that the registry gives its schema, and the saved bytes stay as they are", async () => {
  const given = new Map([
    ["a", 70],
    ["b", 80],
  ]);
  const schemas = [
    { id: 1, schema: "a" },
    { id: 2, schema: "b" },
  ];
  const ids = await registerAll(schemas, async (schema) => given.get(schema));
  const saved = value(2);

  expect(withSchemaIds(saved, ids)).toEqual(value(80));
  expect(saved).toEqual(value(2));
});

test("a message whose schema the registry did not know never gets another one by chance", async () => {
  const ids = await registerAll([{ id: 1, schema: "of somebody else" }], async () => undefined);

  expect(withSchemaIds(value(1), ids)).toEqual(value(0));
  expect(withSchemaIds(value(9), ids)).toEqual(value(0));
});

test("deletions and values that are not Avro stay as they are", () => {
  expect(withSchemaIds(null, new Map())).toBeNull();
  expect(withSchemaIds(Buffer.from("text, not Avro"), new Map())).toEqual(Buffer.from("text, not Avro"));
});

test("the saved topics are those that Kafka keeps for ever, the catalog last", () => {
  expect(savedTopics).toEqual([
    "zones",
    "chronicles",
    "device-heartbeats",
    "subscriptions",
    "event-states",
    "images",
    "videos",
    "catalog",
  ]);
});
