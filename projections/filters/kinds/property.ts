import type { TrackProperty } from "../../../schemas/events.ts";
import type { FilterTrackPropertyInput } from "../../../schemas/filters.ts";
import type { Field, Test } from "../fields.ts";
import { evaluateOnce } from "../slices.ts";
import { all, given, type Params } from "../sql/sql.ts";
import { compileString, stringTest } from "./string.ts";

/** Expressions for the type and the value of one property. Both may be NULL. */
type TestOf = (type: string, value: string) => string;

interface Description<Subject> {
  readonly value: (subject: Subject) => readonly TrackProperty[];
  /** Returns the condition that some property passes the test. A row without properties is tested with two NULLs. */
  readonly sql: (test: TestOf) => string;
}

export const property = <Subject>({ value, sql }: Description<Subject>): Field<FilterTrackPropertyInput, Subject> => ({
  isKey: false,
  test: (filter) => {
    const passes = propertyTest(filter);
    return (subject) => passes(value(subject));
  },
  compile: (filter, { params }) => sql((type, text) => compileProperty(params, filter, type, text)),
});

/** One property must pass both tests. When there are none, the tests get two missing values. */
function propertyTest(filter: FilterTrackPropertyInput): Test<readonly TrackProperty[]> {
  const isType = stringTest(filter.type ?? {});
  const isValue = stringTest(filter.value ?? {});
  const passes = (type: string | null, value: string | null) => isType(type) && isValue(value);
  return (properties) =>
    properties.length === 0
      ? passes(null, null)
      : evaluateOnce(passes, properties.length, () => properties.some(({ type, value }) => passes(type, value)));
}

function compileProperty(params: Params, filter: FilterTrackPropertyInput, type: string, value: string): string {
  const conditions: string[] = [];
  if (given(filter.type)) conditions.push(compileString(params, { sql: type, nullable: true }, filter.type));
  if (given(filter.value)) conditions.push(compileString(params, { sql: value, nullable: true }, filter.value));
  return all(conditions);
}
