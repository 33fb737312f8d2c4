// Another registry has other ids for the same schemas. Each message begins with the id of its schema.
import type { RegisterAgain } from "../../common/registry/register-again.ts";
import { HEADER_BYTES, schemaId } from "../../common/registry/value-readers.ts";
import type { Manifest } from "./format.ts";

/** No registry gives this id, so readers refuse the message, as they did before the backup. */
const NO_SCHEMA = 0;

/** Resolves with the ids in this registry by those in the registry of the backup. */
export async function registerAll(
  schemas: Manifest["schemas"],
  register: RegisterAgain,
): Promise<ReadonlyMap<number, number>> {
  const ids = new Map<number, number>();
  for (const { id, schema } of schemas) {
    const here = await register(schema);
    if (here !== undefined) ids.set(id, here);
  }
  return ids;
}

/** Returns the value with the id that this registry has for its schema. */
export function withSchemaIds(value: Buffer | null, ids: ReadonlyMap<number, number>): Buffer | null {
  const id = schemaId(value);
  if (id === undefined || value === null) return value;
  const changed = Buffer.from(value);
  changed.writeUInt32BE(ids.get(id) ?? NO_SCHEMA, HEADER_BYTES - 4);
  return changed;
}
