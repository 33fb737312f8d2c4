// What the members of an input say about the fields of an object.
import { badInput } from "../../../schemas/errors.ts";

export type Path = readonly (string | number)[];
export type Input = Readonly<Record<string, unknown>>;

type Fields<Field> = readonly (readonly [name: string, field: Field])[];
/** Gets no null. */
type Parse<Field> = (field: Field, value: unknown, path: Path) => unknown;

/** Everything that a creation sets; null where it sets nothing. */
export function createdFields<Field extends { readonly nullable: boolean; readonly initial?: unknown }>(
  fields: Fields<Field>,
  input: Input,
  path: Path,
  parse: Parse<Field>,
): object {
  const set = fields.map(([name, field]) => {
    const value = input[name] ?? field.initial ?? null;
    return [name, value === null ? null : parse(field, value, [...path, name])];
  });
  return Object.fromEntries(set);
}

/** A member left out is not said; null clears. */
export function updatedFields<Field extends { readonly nullable: boolean }>(
  fields: Fields<Field>,
  input: Input,
  path: Path,
  parse: Parse<Field>,
) {
  const cleared: string[] = [];
  const set = fields.map(([name, field]) => {
    const value = input[name];
    if (value === null && !field.nullable) throw badInput("it may not be null", [...path, name]);
    if (value === null) cleared.push(name);
    return [name, value == null ? null : parse(field, value, [...path, name])];
  });
  return { set: Object.fromEntries(set), cleared };
}

export const saysNothing = ({ set, cleared }: { readonly set: object; readonly cleared: readonly string[] }): boolean =>
  cleared.length === 0 && Object.values(set).every((value) => value === null);
