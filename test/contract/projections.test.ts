// Every example goes through the codec's schema and through the projection; its rows are in rows/. A new example is a
// new test without code, and a changed row is a change for readers.
import { readdirSync, readFileSync } from "node:fs";
import avro from "avsc";
import { describe, expect, test } from "vitest";
import { createGathered, type HistoryEvent } from "../../projections/history/rows/gather.ts";
import { type EventType, eventTypes, records, type Typed } from "../../schemas/events.ts";
import { projectedTopics, topics } from "../../schemas/topics.ts";

const FOLDER = new URL("../../schemas/examples/", import.meta.url);
const RECORDED = { partition: 3, offset: 1_000, recordedAt: Date.parse("2026-01-02T00:00:00.000Z") };

const projected: readonly EventType[] = projectedTopics.flatMap<EventType>((topic) => topics[topic].records);

/** Records that the history does not project: they still have to survive the wire. */
const carried = eventTypes.filter((type) => !projected.includes(type));

function examplesOf(type: EventType): { name: string; event: unknown }[] {
  const folder = new URL(`${type}/`, FOLDER);
  return readdirSync(folder).map((file) => ({
    name: file.replace(/\.json$/, ""),
    event: JSON.parse(readFileSync(new URL(file, folder), "utf8"), reviveBytes),
  }));
}

/** JSON has no bytes; a Buffer writes itself as an object. */
const reviveBytes = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && "type" in value && value.type === "Buffer" && "data" in value
    ? Buffer.from(value.data as number[])
    : value;

/** Through the wire form and back, as every reader gets it. */
function overTheWire(type: EventType, event: unknown): Typed {
  const avroType = avro.Type.forSchema(records[type] as avro.Schema);
  return { type, event: avroType.fromBuffer(avroType.toBuffer(event)) } as Typed;
}

test("every record has an example", () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(eventTypes.toSorted());
});

describe.each(carried)("%s", (type) => {
  test.each(examplesOf(type))("$name comes back from the wire as it was", ({ event }) => {
    expect(JSON.stringify(overTheWire(type, event).event)).toBe(JSON.stringify(event));
  });
});

describe.each(projected)("%s", (type) => {
  test.each(examplesOf(type))("$name", async ({ name, event }) => {
    const message = overTheWire(type, event);
    expect(JSON.parse(JSON.stringify(message.event))).toEqual(event);

    const gathered = createGathered();
    gathered.add(message as HistoryEvent, RECORDED);
    const lines = gathered.byTable().flatMap(({ table, rows }) =>
      rows.map((row) => {
        const named = Object.fromEntries(table.columns.map((column, i) => [column, row[i]]));
        return `${table.name} ${JSON.stringify(named)}\n`;
      }),
    );
    await expect(lines.join("")).toMatchFileSnapshot(`rows/${type}/${name}.txt`);
  });
});
