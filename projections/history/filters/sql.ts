// The pieces that every compiler of filters is made of. A condition is SQL text whose value is 0 or 1, never NULL:
// only then do NOT, AND and OR follow two-valued logic.

export interface Params {
  /** Placeholder of a typed parameter; values never become part of the text. */
  bind(type: string, value: unknown): string;
  readonly values: Readonly<Record<string, unknown>>;
}

export function createParams(): Params {
  const values: Record<string, unknown> = {};
  let count = 0;
  return {
    values,
    bind(type, value) {
      count += 1;
      const name = `p${count}`;
      values[name] = value;
      return `{${name}:${type}}`;
    },
  };
}

/** Milliseconds as a DateTime64(3). */
export const bindTime = (params: Params, ms: number): string =>
  `fromUnixTimestamp64Milli(${params.bind("Int64", ms)}, 'UTC')`;

/** Nothing to fulfil is fulfilled. */
export const all = (conditions: readonly string[]): string =>
  conditions.length === 0 ? "1" : conditions.map((condition) => `(${condition})`).join(" AND ");

/** Nothing to choose from is not fulfilled. */
export const any = (conditions: readonly string[]): string =>
  conditions.length === 0 ? "0" : conditions.map((condition) => `(${condition})`).join(" OR ");

export const not = (condition: string): string => `NOT (${condition})`;

export const given = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

interface Combined<Self> {
  readonly and?: readonly Self[] | null | undefined;
  readonly or?: readonly Self[] | null | undefined;
  readonly not?: Self | null | undefined;
}

/** ANDs a filter's own members with its and, or, not. */
export function combine<Filter extends Combined<Filter>>(
  filter: Filter,
  own: readonly string[],
  compile: (inner: Filter) => string,
): string {
  const conditions = [...own];
  if (given(filter.and)) conditions.push(all(filter.and.map(compile)));
  if (given(filter.or)) conditions.push(any(filter.or.map(compile)));
  if (given(filter.not)) conditions.push(not(compile(filter.not)));
  return all(conditions);
}
