// Values as parameters of ClickHouse's HTTP interface, within the bounds of a server.
import { TupleParam } from "@clickhouse/client";
import type { Params } from "../../filters/sql/sql.ts";

/** A server takes 1 000 fields per request, settings included: values beyond these share fields. */
const OWN_FIELDS = 300;
/** Each use of a shared field repeats all of it in the plan, so it is kept small. */
const SHARED_BY = 32;
/** A server takes 128 KiB in one field. */
const FIELD_BYTES = 100_000;

export function createParams(): Params {
  const values: Record<string, unknown> = {};
  const shared = new Map<string, { readonly placeholder: string; readonly entries: unknown[] }>();
  let count = 0;

  function field(type: string, value: unknown): string {
    count += 1;
    const name = `p${count}`;
    values[name] = value;
    return `{${name}:${type}}`;
  }

  function share(type: string, value: unknown): string {
    let last = shared.get(type);
    if (last === undefined || last.entries.length >= SHARED_BY || bytesOf([...last.entries, value]) > FIELD_BYTES) {
      const entries: unknown[] = [];
      last = { placeholder: field(`Array(${type})`, entries), entries };
      shared.set(type, last);
    }
    last.entries.push(value);
    return `${last.placeholder}[${last.entries.length}]`;
  }

  return {
    values,
    bind: (type, value) => (count < OWN_FIELDS ? field(type, value) : share(type, value)),
    bindList: listOf,
    bindTuples: (type, tuples) =>
      listOf(
        type,
        tuples.map((tuple) => new TupleParam(tuple)),
      ),
    bindRings(rings) {
      const tuples = rings.map((ring) => ring.map((point) => new TupleParam(point)));
      return listOf("Array(Tuple(Float64, Float64))", tuples);
    },
  };

  function listOf(type: string, list: readonly unknown[]): string {
    const pieces = cut(list).map((piece) => {
      const [only] = piece;
      // An entry that is too long for a field is a list itself: the ring of a polygon.
      const isLong = piece.length === 1 && Array.isArray(only) && bytesOf(only) > FIELD_BYTES;
      return isLong ? `[${listOf(type.slice("Array(".length, -1), only)}]` : field(`Array(${type})`, piece);
    });
    return pieces.length === 1 ? pieces.join() : `arrayConcat(${pieces.join()})`;
  }
}

/** Pieces that fit into a field each; at least one. */
function cut(list: readonly unknown[]): unknown[][] {
  const pieces: unknown[][] = [];
  let piece: unknown[] = [];
  let bytes = 0;
  for (const value of list) {
    const own = bytesOf(value);
    if (piece.length > 0 && bytes + own > FIELD_BYTES) {
      pieces.push(piece);
      piece = [];
      bytes = 0;
    }
    piece.push(value);
    bytes += own;
  }
  return [...pieces, piece];
}

/** At most, as the client writes it: every character of a text may need a backslash. */
function bytesOf(value: unknown): number {
  if (typeof value === "string") return 2 * Buffer.byteLength(value) + 3;
  if (value instanceof TupleParam) return bytesOf(value.values);
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + bytesOf(each), 2);
  return 26;
}
