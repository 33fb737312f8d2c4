import type { Filtering, MemoryField, OwnMembers } from "./fields.ts";

type Table<Inputs, Subject> = { readonly [Name in keyof Inputs]: MemoryField<Inputs[Name], Subject> };

/** Whether the subject fulfils the filter: all its members and its `and`, `or` and `not` must hold. */
export function matches<Inputs, Subject>(
  fields: Table<Inputs, Subject>,
  filter: NoInfer<Filtering<Inputs>>,
  subject: Subject,
): boolean {
  const own: OwnMembers<Inputs> = filter;
  for (const name in fields) {
    const input = own[name];
    if (input !== null && input !== undefined && !fields[name].matches(input, subject)) return false;
  }
  const { and, or, not } = filter;
  if (and != null && !and.every((each) => matches(fields, each, subject))) return false;
  if (or != null && !or.some((each) => matches(fields, each, subject))) return false;
  return not == null || !matches(fields, not, subject);
}
