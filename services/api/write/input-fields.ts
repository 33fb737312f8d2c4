// Derives changes of an object's fields from the members of an input.
import { badInput, type InputPath } from "../../../schemas/errors.ts";

export type Input = Readonly<Record<string, unknown>>;

type Fields<Field> = readonly (readonly [name: string, field: Field])[];
/** The value is never null. */
type Parse<Field> = (field: Field, value: unknown, path: InputPath) => unknown;

/** Returns all fields of a creation; null for those without a value. */
export function createdInputFields<Field extends { readonly nullable: boolean; readonly initial?: unknown }>(
  fields: Fields<Field>,
  input: Input,
  path: InputPath,
  parse: Parse<Field>,
): object {
  const set = fields.map(([name, field]) => {
    const value = input[name] ?? field.initial ?? null;
    return [name, value === null ? null : parse(field, value, [...path, name])];
  });
  return Object.fromEntries(set);
}

/** Returns the fields of an update: an absent member stays, null clears. */
export function updatedInputFields<Field extends { readonly nullable: boolean }>(
  fields: Fields<Field>,
  input: Input,
  path: InputPath,
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

export const isEmptyPatch = ({
  set,
  cleared,
}: {
  readonly set: object;
  readonly cleared: readonly string[];
}): boolean => cleared.length === 0 && Object.values(set).every((value) => value === null);
