// Values as parameters of ClickHouse's HTTP interface, within the bounds of a server.
import { TupleParam } from "@clickhouse/client";
import { badInput } from "../../../schemas/errors.ts";
import type { Params } from "../../filters/sql/sql.ts";

/** A server accepts 1 000 fields per request, settings included. */
const MAX_FIELDS = 950;
/** The first values have a field each; further values share fields. */
const MAX_UNSHARED_FIELDS = 300;
/**
 * The maximum number of values of a shared field. Each use repeats the whole field in the query plan, so the field is
 * kept small.
 */
const VALUES_PER_FIELD = 32;
/** A server accepts 128 KiB in one field. */
const FIELD_BYTES = 100_000;

export const tooManyConditions = () =>
  badInput("the filter has too many conditions; several values of one field go into one `in`");

/** Throws BAD_USER_INPUT when there are more values than a server accepts. */
export function createParams(): Params {
  const values: Record<string, unknown> = {};
  const shared = new Map<string, { readonly placeholder: string; readonly entries: unknown[] }>();
  let count = 0;

  function field(type: string, value: unknown): string {
    count += 1;
    if (count > MAX_FIELDS) throw tooManyConditions();
    const name = `p${count}`;
    values[name] = value;
    return `{${name}:${type}}`;
  }

  function share(type: string, value: unknown): string {
    let last = shared.get(type);
    if (
      last === undefined ||
      last.entries.length >= VALUES_PER_FIELD ||
      bytesOf([...last.entries, value]) > FIELD_BYTES
    ) {
      const entries: unknown[] = [];
      last = { placeholder: field(`Array(${type})`, entries), entries };
      shared.set(type, last);
    }
    last.entries.push(value);
    return `${last.placeholder}[${last.entries.length}]`;
  }

  return {
    values,
    bind: (type, value) => (count < MAX_UNSHARED_FIELDS ? field(type, value) : share(type, value)),
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
    const pieces = chunk(list).map((piece) => {
      const [entry] = piece;
      // A single entry that is too long for a field is itself a list: the ring of a polygon.
      const isLong = piece.length === 1 && Array.isArray(entry) && bytesOf(entry) > FIELD_BYTES;
      return isLong ? `[${listOf(type.slice("Array(".length, -1), entry)}]` : field(`Array(${type})`, piece);
    });
    return pieces.length === 1 ? pieces.join() : `arrayConcat(${pieces.join()})`;
  }
}

/** Cuts a list into pieces of which each fits into a field. There is at least one piece. */
function chunk(list: readonly unknown[]): unknown[][] {
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

/** The largest size of a value as the client writes it: every character of a text may need a backslash. */
function bytesOf(value: unknown): number {
  if (typeof value === "string") return 2 * Buffer.byteLength(value) + 3;
  if (value instanceof TupleParam) return bytesOf(value.values);
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + bytesOf(each), 2);
  return 26;
}
