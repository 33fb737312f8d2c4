import { array, enumeration, string } from "../avro.ts";
import type { DataSourceType } from "../graphql/inputs.ts";
import { changedRecord } from "./changed.ts";

export interface DataSourceFields {
  readonly name: string;
  readonly type: DataSourceType;
  readonly labels: readonly string[] | null;
}

export const dataSourceChanged = changedRecord<DataSourceFields>("DataSource", {
  name: string,
  type: enumeration("DataSourceType", ["FOLDER", "VIDEO_DEVICE", "IMAGE_DEVICE", "GEOPOSITION"], "VIDEO_DEVICE"),
  labels: array(string),
});
