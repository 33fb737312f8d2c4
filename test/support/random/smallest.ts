/** Leaves out members and entries as long as the test still holds, and returns the smallest value found. */
export async function smallest<T extends object>(value: T, holds: (candidate: T) => Promise<boolean>): Promise<T> {
  for (const candidate of smaller(value)) {
    if (await holds(candidate as T)) return smallest(candidate as T, holds);
  }
  return value;
}

/** Each with one thing less than the value, the largest steps first. */
function* smaller(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const i of value.keys()) yield value.toSpliced(i, 1);
    for (const [i, entry] of value.entries()) for (const less of smaller(entry)) yield value.with(i, less);
  } else if (typeof value === "object" && value !== null) {
    const members = Object.entries(value);
    for (const [, inner] of members) if (isFilter(inner)) yield inner;
    for (const [name] of members) yield Object.fromEntries(members.filter(([other]) => other !== name));
    for (const [name, member] of members) {
      if (name !== "coordinates" && name !== "between")
        for (const less of smaller(member)) yield { ...value, [name]: less };
    }
  }
}

const isFilter = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ["and", "or", "not"].some((name) => name in value);
