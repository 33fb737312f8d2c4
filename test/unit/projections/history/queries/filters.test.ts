import { expect, test } from "vitest";
import { compile } from "../../../../../projections/filters/compile.ts";
import { detectionFields } from "../../../../../projections/filters/detections.ts";
import { trackFields } from "../../../../../projections/filters/tracks.ts";
import { createParams } from "../../../../../projections/history/queries/params.ts";
import type { FilterPointInput, FilterTrackInput } from "../../../../../schemas/filters.ts";

const BAD_INPUT = expect.objectContaining({ code: "BAD_USER_INPUT" });

function compiled(filter: FilterTrackInput) {
  const params = createParams();
  return { sql: compile(trackFields, filter, { params, dataSourceIds: () => [] }), values: params.values };
}

test("values become parameters, never text", () => {
  const hostile = "'; DROP TABLE tracks_v1 --";
  const { sql, values } = compiled({ tag: { eq: hostile, like: hostile }, id: { in: [hostile, "x"] } });

  expect(sql).not.toContain("DROP");
  expect(Object.values(values).flat()).toEqual([hostile, "x", hostile, hostile]);
});

test("nothing given matches everything, an empty choice nothing", () => {
  expect(compiled({}).sql).toBe("1");
  expect(compiled({ and: [] }).sql).toBe("(1)");
  expect(compiled({ or: [] }).sql).toBe("(0)");
  expect(compiled({ id: { in: [] } }).sql).toBe("((0))");
  expect(compiled({ id: null, tag: { eq: null } }).sql).toBe("(1)");
});

test("what no answer can be given to is refused", () => {
  const at = (position: FilterPointInput) => () => compiled({ position });

  expect(() => compiled({ time: { between: [1] } })).toThrow(BAD_INPUT);
  expect(at({ in: { type: "Polygon", coordinates: [] } })).toThrow(BAD_INPUT);
  expect(at({ in: { type: "Polygon", coordinates: [[[0, 0]]] } })).toThrow(BAD_INPUT);
  expect(at({ near: { point: { type: "Point", coordinates: [1] }, radius: 5 } })).toThrow(BAD_INPUT);
  expect(at({ near: { point: { type: "Point", coordinates: [1, 2] }, radius: Number.NaN } })).toThrow(BAD_INPUT);
});

test("a subquery repeats what the rows fulfil anyway", () => {
  const params = createParams();
  const filter = { time: { between: [1, 2] }, not: { dataSourceId: { eq: "d" }, zoneId: { eq: "z" } } };
  const sql = compile(detectionFields, filter, { params, dataSourceIds: () => [] });

  expect(sql.match(/timestamp >= fromUnixTimestamp64Milli\(\{p1:Int64\}/g)).toHaveLength(2);
  expect(sql.match(/data_source_id = \{p3:String\}/g)).toHaveLength(2);
});
