// Images: one row per image, from the first record of it in the log.
import type { FilterImageInput, ImagesSort } from "../../../schemas/filters.ts";
import type { ImageStored } from "../../../schemas/records/image-stored.ts";
import type { Fields } from "../../filters/fields.ts";
import { timeField } from "../../filters/kinds/number.ts";
import { idField } from "../../filters/kinds/string.ts";
import { textColumn, textOrNullColumn, timeOrNullColumn } from "../table.ts";
import { defineRecordHistory } from "./define-record-history.ts";
import { recordedColumns, rowPerRecord } from "./row-per-record.ts";

/** The fields of an image that clients see. */
export type ImageRecord = Pick<ImageStored, "imageId" | "dataSourceId" | "timestamp" | "path">;

/** The values that images_v1 has in place of a missing data source and a missing time. They sort after all others. */
const NO_SOURCE = "\u{10FFFF}";
const NO_TIME = 10_413_791_999_999;

export const imageFields: Fields<FilterImageInput, ImageRecord> = {
  id: idField({ value: ({ imageId }) => imageId, sql: "image_id" }),
  // No id equals the value in place of a missing one.
  dataSourceId: idField({ value: ({ dataSourceId }) => dataSourceId, sql: "source_key", isKey: true }),
  timestamp: timeField({ value: ({ timestamp }) => timestamp, sql: "timestamp", nullable: true }),
};

export const imageHistory = defineRecordHistory<"images", ImageRecord, FilterImageInput, ImagesSort["field"]>({
  ...rowPerRecord({
    topic: "images",
    name: "images_v1",
    columns: {
      image_id: { from: ({ event }) => event.imageId, read: textColumn },
      data_source_id: { from: ({ event }) => event.dataSourceId, read: textOrNullColumn },
      timestamp: { from: ({ event }) => event.timestamp, read: timeOrNullColumn },
      path: { from: ({ event }) => event.path, read: textColumn },
      width: { from: ({ event }) => event.width },
      height: { from: ({ event }) => event.height },
      ...recordedColumns,
    },
    toRecord: ({ image_id: imageId, data_source_id: dataSourceId, timestamp, path }): ImageRecord => ({
      imageId,
      dataSourceId,
      timestamp,
      path,
    }),
    isByMonth: false,
  }),
  filter: imageFields,
  sorts: {
    ID: { sql: "image_id", type: "String", of: ({ imageId }) => imageId },
    DATA_SOURCE_ID: { sql: "source_key", type: "String", of: ({ dataSourceId }) => dataSourceId ?? NO_SOURCE },
    TIMESTAMP: { sql: "time_key", type: "time", of: ({ timestamp }) => timestamp ?? NO_TIME },
  },
  identity: ["ID"],
});
