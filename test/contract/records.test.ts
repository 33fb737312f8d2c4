// The compiler compares type and record: it must refuse each line below that has a @ts-expect-error.
import { expect, test } from "vitest";
import { array, enumeration, int, optional, record, string, word } from "../../schemas/avro.ts";
import { eventTypes, records } from "../../schemas/events.ts";

interface Seen {
  readonly tag: string;
  readonly count: number | null;
  readonly states: readonly ("on" | "off")[];
}

const states = array(word<"on" | "off">());

test("a record has exactly the fields of its type", () => {
  const whole = record<Seen>("Seen", { tag: string, count: optional(int), states });
  // @ts-expect-error a field is missing
  record<Seen>("Seen", { tag: string, states });
  // @ts-expect-error a field that the type does not have
  record<Seen>("Seen", { tag: string, count: optional(int), states, color: string });
  // @ts-expect-error another type
  record<Seen>("Seen", { tag: int, count: optional(int), states });
  // @ts-expect-error null has no place on the wire
  record<Seen>("Seen", { tag: string, count: int, states });
  // @ts-expect-error null has no place in the type
  record<Seen>("Seen", { tag: optional(string), count: optional(int), states });
  // @ts-expect-error values that the type does not have
  record<Seen>("Seen", { tag: string, count: optional(int), states: array(enumeration("State", ["on"], "on")) });

  expect(whole.schema.fields.map(({ name }) => name)).toEqual(["tag", "count", "states"]);
});

test("a kind is listed under the name of its record", () => {
  expect(eventTypes.map((type) => records[type].name)).toEqual(eventTypes);
});
