// The tests in memory that all kinds share. A value that is null or undefined counts as missing.
import type { Optional, Test } from "../fields.ts";

export interface Equality<T> {
  readonly eq?: Optional<T>;
  readonly ne?: Optional<T>;
  readonly in?: Optional<readonly T[]>;
  readonly attributeExists?: Optional<boolean>;
}

export function equalityTest<T>({ eq, ne, in: among, attributeExists }: Equality<T>): Test<Optional<T>> {
  const set: ReadonlySet<unknown> | undefined = among == null ? undefined : new Set(among);
  return (value) => {
    const missing = value === null || value === undefined;
    if (attributeExists != null && attributeExists === missing) return false;
    if (ne != null && value === ne) return false;
    if (eq != null && value !== eq) return false;
    return set === undefined || (!missing && set.has(value));
  };
}
