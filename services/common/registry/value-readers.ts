// The readers of the values that are being processed. A value keeps its reader for as long as the value exists, even
// after the cache has dropped the schema. A caller holds few schemas of other producers at once, because each takes
// much memory.
import type { LoadSchemas, LoadSchemasOptions } from "../../../schemas/codec.ts";
import { isOpenToProducers } from "../../../schemas/topics.ts";
import type { SchemasById } from "./schemas-by-id.ts";

export interface ValueReaders<Reader> {
  loadSchemas: LoadSchemas;
  /** @returns undefined when the value was not loaded; a text is the reason why it cannot be read. */
  find(value: Buffer, id: number): Reader | string | undefined;
}

export const HEADER_BYTES = 5;
/** Maximum number of other producers' schema ids that a caller holds at once. */
const MAX_HELD = 16;
/** A registry of several instances has a schema on all of them within seconds. */
const PATIENCE_MS = 300_000;

export function createValueReaders<Reader extends object>(schemas: SchemasById<Reader>): ValueReaders<Reader> {
  const kept = new WeakMap<Buffer, Reader | string>();

  /** Returns the ids that must be loaded, the id with the most values first. */
  function keep(values: readonly Buffer[]): number[] {
    const missing = new Map<number, number>();
    for (const value of values) {
      const id = schemaId(value) ?? 0;
      const reader = kept.get(value) ?? schemas.get(id);
      if (reader === undefined) missing.set(id, (missing.get(id) ?? 0) + 1);
      else kept.set(value, reader);
    }
    return Array.from(missing)
      .sort(([, a], [, b]) => b - a)
      .map(([id]) => id);
  }

  /** Loads again while other calls make the cache drop a schema before its values have kept it. */
  async function keepAll(values: readonly Buffer[], missing: readonly number[]): Promise<void> {
    for (let left = missing; left.length > 0; left = keep(values)) await schemas.load(left);
  }

  function loadForeign(values: Iterable<Buffer | null>, held: Set<number>) {
    const foreign: Buffer[] = [];
    let isCut = false;
    let count = 0;
    for (const value of values) {
      const id = schemaId(value);
      if (value !== null && id !== undefined && !schemas.isOwn(id)) {
        isCut = held.size >= MAX_HELD && !held.has(id);
        if (isCut) break;
        held.add(id);
        foreign.push(value);
      }
      count += 1;
    }
    const loaded = isCut ? count : undefined;
    const missing = keep(foreign);
    return missing.length === 0 ? loaded : keepAll(foreign, missing).then(() => loaded);
  }

  return {
    loadSchemas(values, { topic, held = new Set(), patienceMs = PATIENCE_MS }: LoadSchemasOptions = {}) {
      if (topic === undefined || isOpenToProducers(topic)) return loadForeign(values, held);
      return loadOwn(schemas, values, patienceMs);
    },

    find: (value, id) => (schemas.isOwn(id) ? undefined : kept.get(value)) ?? schemas.get(id) ?? schemas.getOwn(id),
  };
}

function loadOwn<Reader>(schemas: SchemasById<Reader>, values: Iterable<Buffer | null>, patienceMs: number) {
  const missing = new Set<number>();
  for (const value of values) {
    const id = schemaId(value);
    if (id !== undefined && schemas.getOwn(id) === undefined) missing.add(id);
  }
  return missing.size === 0 ? undefined : schemas.loadOwn([...missing], patienceMs).then(() => undefined);
}

/** @returns undefined when the value is not in the Confluent wire format. */
export function schemaId(value: Buffer | null): number | undefined {
  return value !== null && value.length >= HEADER_BYTES && value[0] === 0 ? value.readUInt32BE(1) : undefined;
}
