import { describe, expect, test } from "vitest";
import { decodeCursor, encodeCursor, fingerprint } from "../../../../../projections/cursors.ts";
import { after, type KeyColumn, orderBy, sortKey } from "../../../../../projections/history/queries/keyset.ts";
import { createParams } from "../../../../../projections/history/queries/params.ts";

const BAD_INPUT = expect.objectContaining({ code: "BAD_USER_INPUT" });

const start: KeyColumn = { sql: "start_time", type: "time" };
const id: KeyColumn = { sql: "track_id", type: "String" };
const columns = { START: start, ID: id };

describe("sortKey", () => {
  test("adds the identity, and sorts by a column where it stands first", () => {
    expect(orderBy(sortKey([{ field: "START", direction: "DESC" }], columns, [id]))).toBe(
      "start_time DESC, track_id ASC",
    );
    const twice = [
      { field: "ID", direction: "DESC" },
      { field: "ID", direction: "ASC" },
    ] as const;
    expect(orderBy(sortKey(twice, columns, [id]))).toBe("track_id DESC");
  });
});

describe("after", () => {
  test("takes each column in its own direction", () => {
    const params = createParams();
    const key = sortKey([{ field: "START", direction: "DESC" }], columns, [id]);

    const sql = after(params, key, [1_000, "t"]);

    const time = "fromUnixTimestamp64Milli({p1:Int64}, 'UTC')";
    const later = `((start_time < ${time})) OR ((start_time = ${time}) AND (track_id > {p2:String}))`;
    expect(sql).toBe(`(start_time <= ${time}) AND (${later})`);
    expect(params.values).toEqual({ p1: 1_000, p2: "t" });
  });
});

describe("cursors", () => {
  const key = sortKey([{ field: "START", direction: "ASC" }], columns, [id]);
  const print = fingerprint({ tag: { eq: "car" } }, key);

  test("come back as the values they were made of", () => {
    const values = [1_767_225_600_123, 'a "b" \u0000 ü'];
    expect(decodeCursor(encodeCursor(values, print), key, print)).toEqual(values);
  });

  test("belong to one filter and one sort", () => {
    const cursor = encodeCursor([1, "a"], print);
    const other = sortKey([{ field: "START", direction: "DESC" }], columns, [id]);

    expect(() => decodeCursor(cursor, key, fingerprint({ tag: { eq: "bus" } }, key))).toThrow(BAD_INPUT);
    expect(() => decodeCursor(cursor, other, fingerprint({ tag: { eq: "car" } }, other))).toThrow(BAD_INPUT);
  });

  test("do not mind in which order a filter is written, nor what is null in it", () => {
    expect(fingerprint({ tag: { like: null, eq: "car" }, id: undefined }, key)).toBe(print);
    expect(fingerprint({ or: [{ a: 1 }, { b: 2 }] }, key)).not.toBe(fingerprint({ or: [{ b: 2 }, { a: 1 }] }, key));
  });

  test("refuse values of the wrong type", () => {
    for (const values of [["1", "a"], [1, 2], [1.5, "a"], [1], [1, "a", "b"]]) {
      expect(() => decodeCursor(encodeCursor(values, print), key, print)).toThrow(BAD_INPUT);
    }
  });
});
