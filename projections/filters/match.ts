import type { Filtering, MemoryField, OwnMembers, Test } from "./fields.ts";

type Table<Inputs, Subject> = { readonly [Name in keyof Inputs]: MemoryField<Inputs[Name], Subject> };

/** @returns true when the subject fulfils the filter: all its members and its `and`, `or` and `not` must hold. */
export function matches<Inputs, Subject>(
  fields: Table<Inputs, Subject>,
  filter: NoInfer<Filtering<Inputs>>,
  subject: Subject,
): boolean {
  const ofFields = compiled.get(fields) ?? new WeakMap<object, Test<never>>();
  compiled.set(fields, ofFields);
  // The cast is safe: the test was compiled with these fields, which are of this kind of subject.
  const known = ofFields.get(filter) as Test<Subject> | undefined;
  if (known !== undefined) return known(subject);
  const test = compileTest(fields, filter);
  ofFields.set(filter, test);
  return test(subject);
}

/**
 * The compiled filters. A filter is tested with thousands of entities, or with every message of a subscription, so it
 * is compiled once and kept as long as it exists.
 */
const compiled = new WeakMap<object, WeakMap<object, Test<never>>>();

function compileTest<Inputs, Subject>(fields: Table<Inputs, Subject>, filter: Filtering<Inputs>): Test<Subject> {
  const own: OwnMembers<Inputs> = filter;
  const tests: Test<Subject>[] = [];
  for (const name in fields) {
    const input = own[name];
    if (input !== null && input !== undefined) tests.push(fields[name].test(input));
  }
  const { and, or, not } = filter;
  const again = (inner: Filtering<Inputs>) => compileTest(fields, inner);
  for (const each of and ?? []) tests.push(again(each));
  if (or != null) tests.push(some(or.map(again)));
  if (not != null) tests.push(negated(again(not)));
  const [only] = tests;
  return tests.length === 1 && only !== undefined ? only : every(tests);
}

const every =
  <Subject>(tests: readonly Test<Subject>[]): Test<Subject> =>
  (subject) => {
    for (const test of tests) if (!test(subject)) return false;
    return true;
  };

const some =
  <Subject>(tests: readonly Test<Subject>[]): Test<Subject> =>
  (subject) => {
    for (const test of tests) if (test(subject)) return true;
    return false;
  };

const negated =
  <Subject>(test: Test<Subject>): Test<Subject> =>
  (subject) =>
    !test(subject);
