// The pieces of which the filter compilers consist. A condition is SQL text whose value is 0 or 1, never NULL: only
// then do NOT, AND and OR follow two-valued logic.

export interface Params {
  /** Returns the placeholder of a typed parameter. Values never become part of the text. */
  bind(type: string, value: unknown): string;
  /** Binds a constant array of any length. `type` is that of an entry. */
  bindList(type: string, values: readonly unknown[]): string;
  /** Binds a constant array of tuples. `type` is that of a tuple. */
  bindTuples(type: string, tuples: readonly (readonly unknown[])[]): string;
  /** Binds a constant polygon, which is rings of points. */
  bindRings(rings: readonly (readonly (readonly [number, number])[])[]): string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The milliseconds as a DateTime64(3). They may have a fraction, because a time to live may have one. */
export const bindTime = (params: Params, ms: number): string =>
  `fromUnixTimestamp64Milli(${params.bind("Int64", Math.round(ms))}, 'UTC')`;

/** True when there are no conditions. */
export const all = (conditions: readonly string[]): string =>
  conditions.length === 0 ? "1" : conditions.map((condition) => `(${condition})`).join(" AND ");

/** False when there are no conditions. */
export const any = (conditions: readonly string[]): string =>
  conditions.length === 0 ? "0" : conditions.map((condition) => `(${condition})`).join(" OR ");

export const not = (condition: string): string => `NOT (${condition})`;

export const given = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;
