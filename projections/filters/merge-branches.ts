// Merges neighbouring conditions into one list: `or: [{id: {eq: a}}, {id: {eq: b}}]` becomes `id: {in: [a, b]}`, and an
// `and` of `ne` becomes the same inside a `not`.

export interface Mergeable {
  readonly and?: readonly Mergeable[] | null;
  readonly or?: readonly Mergeable[] | null;
  readonly not?: Mergeable | null;
}

/** An equivalent filter with fewer branches. */
export function mergeBranches<Filter extends object>(filter: Filter): Filter {
  const { and, or, not }: Mergeable = filter;
  return {
    ...filter,
    ...(and == null ? {} : { and: gather(and, "ne", (field, values) => ({ not: { [field]: { in: values } } })) }),
    ...(or == null ? {} : { or: gather(or, "eq", (field, values) => ({ [field]: { in: values } })) }),
    ...(not == null ? {} : { not: mergeBranches(not) }),
  };
}

function gather(
  branches: readonly Mergeable[],
  operator: "eq" | "ne",
  asList: (field: string, values: readonly string[]) => object,
): readonly object[] {
  const lists = new Map<string, string[]>();
  const others: object[] = [];
  for (const branch of branches) {
    const single = singleOf(branch, operator);
    if (single === undefined) {
      others.push(mergeBranches(branch));
      continue;
    }
    const list = lists.get(single.field);
    if (list === undefined) lists.set(single.field, [single.value]);
    else list.push(single.value);
  }
  const merged = [...lists].map(([field, values]) => {
    const [first] = values;
    return values.length === 1 ? { [field]: { [operator]: first } } : asList(field, values);
  });
  return [...merged, ...others];
}

/** The field and the text of a filter with a single text test. Filters with lists are left as they are. */
function singleOf(branch: Mergeable, operator: string): { readonly field: string; readonly value: string } | undefined {
  const [member, more] = given(branch);
  if (member === undefined || more !== undefined) return undefined;
  const [field, test] = member;
  if (typeof test !== "object" || test === null || Array.isArray(test)) return undefined;
  const [only, other] = given(test);
  if (only?.[0] !== operator || other !== undefined) return undefined;
  const [, value] = only;
  return typeof value === "string" ? { field, value } : undefined;
}

const given = (object: object): [string, unknown][] => Object.entries(object).filter(([, value]) => value != null);
