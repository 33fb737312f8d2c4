import type { FilterImageInput } from "../../schemas/filters.ts";
import type { ImageRecord } from "../history/images.ts";
import type { Fields } from "./fields.ts";
import { time } from "./kinds/number.ts";
import { id } from "./kinds/string.ts";

/** The SQL is over the columns of images_v1. */
export const imageFields: Fields<FilterImageInput, ImageRecord> = {
  id: id({ value: ({ imageId }) => imageId, sql: "image_id" }),
  // No id equals the key of a missing one.
  dataSourceId: id({ value: ({ dataSourceId }) => dataSourceId, sql: "source_key", isKey: true }),
  timestamp: time({ value: ({ timestamp }) => timestamp, sql: "timestamp", nullable: true }),
};
