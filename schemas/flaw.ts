/** The reason why a value is refused, and the field at fault. */
export interface Flaw {
  /** Path from the checked value to the field at fault. */
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

export const flaw = (reason: string, ...path: Flaw["path"]): Flaw => ({ path, reason });

/** Turns the flaw of a part into a flaw of the whole that contains the part in this field. */
export const under = (field: string | number, found: Flaw | undefined): Flaw | undefined =>
  found === undefined ? undefined : { path: [field, ...found.path], reason: found.reason };

/** `path.to.field: reason`, as the projector writes it into dead letters. */
export const flawText = ({ path, reason }: Flaw): string => `${path.join(".")}: ${reason}`;

/** Checks a value that may be missing. */
export const orNone = <T>(value: T | null, check: (value: T) => Flaw | undefined): Flaw | undefined =>
  value === null ? undefined : check(value);
