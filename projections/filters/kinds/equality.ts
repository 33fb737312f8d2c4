// The tests in memory that all kinds share. A value that is null or undefined is missing.
import type { Maybe, Test } from "../fields.ts";

export interface Equality<T> {
  readonly eq?: Maybe<T>;
  readonly ne?: Maybe<T>;
  readonly in?: Maybe<readonly T[]>;
  readonly attributeExists?: Maybe<boolean>;
}

export function equalityTest<T>({ eq, ne, in: among, attributeExists }: Equality<T>): Test<Maybe<T>> {
  const set: ReadonlySet<unknown> | undefined = among == null ? undefined : new Set(among);
  return (value) => {
    const missing = value === null || value === undefined;
    if (attributeExists != null && attributeExists === missing) return false;
    if (ne != null && value === ne) return false;
    if (eq != null && value !== eq) return false;
    return set === undefined || (!missing && set.has(value));
  };
}
