// Conditions that must all hold, as one filter of the interface.

type Members = Readonly<Record<string, unknown>>;

/**
 * Conditions on different members become one object, also within a member: an attribute with a type and a value is one
 * attribute. What cannot be in one object is listed in `and`, which some filters do not have.
 * @param required members of each filter in the list.
 */
export function joinedFilter(conditions: readonly object[], required: object = {}): Record<string, unknown> {
  let whole: Members = {};
  const apart: object[] = [];
  for (const condition of conditions) {
    const both = joined(whole, condition as Members);
    if (both === undefined) apart.push(condition);
    else whole = both;
  }
  if (apart.length === 0) return whole;
  const known = (whole["and"] as readonly object[] | undefined) ?? [];
  return { ...whole, and: [...known, ...apart.map((condition) => ({ ...required, ...condition }))] };
}

/** @returns undefined when they say different things of one member. */
function joined(one: Members, other: Members): Members | undefined {
  const both: Record<string, unknown> = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const known = both[name];
    // "Neither one nor the other" is not "not both".
    if (name === "not" && known !== undefined) return undefined;
    const joint = known === undefined ? value : isObject(known) && isObject(value) ? joined(known, value) : undefined;
    if (joint === undefined) return undefined;
    both[name] = joint;
  }
  return both;
}

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
