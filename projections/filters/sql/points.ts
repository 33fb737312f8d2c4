import { TupleParam } from "@clickhouse/client";
import type { FilterPointInput, FilterPointNearInput, GeoJSONPolygonInput } from "../../../schemas/filters.ts";
import { BadInput } from "../../history/bad-input.ts";
import { all, given, type Params } from "./sql.ts";

const PRESENT = "longitude IS NOT NULL AND latitude IS NOT NULL";
const LONGITUDE = "assumeNotNull(longitude)";
const LATITUDE = "assumeNotNull(latitude)";

/** Over the columns longitude and latitude (degrees, Nullable). Throws BadInput for what is no polygon or no point. */
export function compilePoint(params: Params, filter: FilterPointInput): string {
  const conditions: string[] = [];
  if (given(filter.in)) conditions.push(inside(params, filter.in));
  if (given(filter.near)) conditions.push(near(params, filter.near));
  if (given(filter.attributeExists)) conditions.push(filter.attributeExists ? PRESENT : `NOT (${PRESENT})`);
  return all(conditions);
}

function inside(params: Params, { coordinates }: GeoJSONPolygonInput): string {
  if (coordinates.length === 0) throw new BadInput("a polygon needs a ring");
  const rings = coordinates.map((ring) => {
    if (ring.length < 4) throw new BadInput("a ring needs four or more points");
    return ring.map((point) => {
      const [longitude, latitude] = position(point);
      return new TupleParam([longitude, latitude]);
    });
  });
  const polygon = params.bindList("Array(Tuple(Float64, Float64))", rings);
  return `${PRESENT} AND pointInPolygon((${LONGITUDE}, ${LATITUDE}), ${polygon})`;
}

/** Great-circle distance on a sphere, metres. */
function near(params: Params, { point, radius }: FilterPointNearInput): string {
  const [longitude, latitude] = position(point.coordinates);
  if (!(radius >= 0)) throw new BadInput("a radius must be 0 or more");
  const centre = `${params.bind("Float64", longitude)}, ${params.bind("Float64", latitude)}`;
  const distance = `greatCircleDistance(${LONGITUDE}, ${LATITUDE}, ${centre})`;
  return `${PRESENT} AND ${distance} <= ${params.bind("Float64", radius)}`;
}

function position(coordinates: readonly number[]): [number, number] {
  const [longitude, latitude] = coordinates;
  if (longitude === undefined || latitude === undefined) throw new BadInput("a point needs longitude and latitude");
  if (!Number.isFinite(longitude) || !Number.isFinite(latitude)) throw new BadInput("not a finite number");
  return [longitude, latitude];
}
