export interface Change {
  /** Place and change, for people. */
  readonly text: string;
  /** False for a change that only careless clients notice, such as a new word in an enumeration of answers. */
  readonly isBreaking: boolean;
}

export const breaking = (text: string): Change => ({ text, isBreaking: true });
export const notable = (text: string): Change => ({ text, isBreaking: false });

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export type JsonObject = Readonly<Record<string, unknown>>;

export const objectAt = (value: JsonObject | undefined, member: string): JsonObject => {
  const found = value?.[member];
  return isObject(found) ? found : {};
};

export const listAt = (value: JsonObject, member: string): readonly unknown[] => {
  const found = value[member];
  return Array.isArray(found) ? found : [];
};

/** Follows a reference within the document, such as `#/components/schemas/Track`. */
export function resolveReference(document: JsonObject, reference: string): JsonObject {
  const parts = reference.split("/").slice(1);
  return parts.reduce((value, part) => objectAt(value, part.replaceAll("~1", "/").replaceAll("~0", "~")), document);
}
