import { array, enumeration, string } from "../avro.ts";
import { changed } from "./changed.ts";

export type DataSourceType = "FOLDER" | "VIDEO_DEVICE" | "IMAGE_DEVICE" | "GEOPOSITION";

export interface DataSourceFields {
  readonly name: string;
  readonly type: DataSourceType;
  readonly labels: readonly string[] | null;
}

export const dataSourceChanged = changed<DataSourceFields>("DataSource", {
  name: string,
  type: enumeration("DataSourceType", ["FOLDER", "VIDEO_DEVICE", "IMAGE_DEVICE", "GEOPOSITION"], "VIDEO_DEVICE"),
  labels: array(string),
});
