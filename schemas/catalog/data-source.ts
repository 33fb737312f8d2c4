import { array, enumeration, optional, record, string, time } from "../avro.ts";

export type DataSourceType = "FOLDER" | "VIDEO_DEVICE" | "IMAGE_DEVICE" | "GEOPOSITION";

export interface DataSourceEntry {
  readonly dataSourceId: string;
  readonly name: string;
  readonly type: DataSourceType;
  readonly labels: readonly string[] | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const dataSourceEntry = record<DataSourceEntry>("DataSourceEntry", {
  dataSourceId: string,
  name: string,
  type: enumeration("DataSourceType", ["FOLDER", "VIDEO_DEVICE", "IMAGE_DEVICE", "GEOPOSITION"], "VIDEO_DEVICE"),
  labels: optional(array(string)),
  createdAt: time,
  updatedAt: time,
});
