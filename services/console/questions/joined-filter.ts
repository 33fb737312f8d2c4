// Conditions that must all hold, as one filter of the interface.

type Members = Readonly<Record<string, unknown>>;

/**
 * Conditions on different members become one object, also within a member: an attribute with a type and a value is one
 * attribute. What cannot be in one object is listed in `and`, which some filters do not have.
 */
export function joinedFilter(conditions: readonly object[]): Record<string, unknown> {
  let whole: Members = {};
  const apart: object[] = [];
  for (const condition of conditions) {
    const both = joined(whole, condition as Members);
    if (both === undefined) apart.push(condition);
    else whole = both;
  }
  return apart.length === 0 ? whole : { ...whole, and: [...((whole["and"] as object[] | undefined) ?? []), ...apart] };
}

/** @returns undefined when they say different things of one member. */
function joined(one: Members, other: Members): Members | undefined {
  const both: Record<string, unknown> = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const known = both[name];
    const joint = known === undefined ? value : isObject(known) && isObject(value) ? joined(known, value) : undefined;
    if (joint === undefined) return undefined;
    both[name] = joint;
  }
  return both;
}

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
