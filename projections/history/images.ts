// images_v1: one row per image, from the first record of it in the log.
import type { ImageStored } from "../../schemas/events.ts";
import { type HistoryKind, rowPerEvent } from "./kind.ts";
import {
  columnsFrom,
  createReader,
  createTable,
  type Recorded,
  text,
  textOrNull,
  timeOrNull,
  type WireRow,
} from "./table.ts";

interface RecordedImage extends ImageStored {
  readonly recorded: Recorded;
}

const columns = columnsFrom<RecordedImage>()({
  image_id: { from: ({ imageId }) => imageId, read: text },
  data_source_id: { from: ({ dataSourceId }) => dataSourceId, read: textOrNull },
  timestamp: { from: ({ timestamp }) => timestamp, read: timeOrNull },
  path: { from: ({ path }) => path, read: text },
  width: { from: ({ width }) => width },
  height: { from: ({ height }) => height },
  recorded_at: { from: ({ recorded }) => recorded.recordedAt },
  partition: { from: ({ recorded }) => recorded.partition },
  offset: { from: ({ recorded }) => recorded.offset },
});

export const imagesTable = createTable("images_v1", columns);

export const images: HistoryKind<"images"> = {
  topic: "images",
  rankedBy: "images",
  tables: [imagesTable],
  byMonth: [],
  createRows: () => rowPerEvent(imagesTable, ({ event }, recorded) => ({ ...event, recorded })),
};

const reader = createReader(columns);

export const imageSelect = reader.select;

/** What a client sees of an image. */
export type ImageRecord = Pick<ImageStored, "imageId" | "dataSourceId" | "timestamp" | "path">;

export function imageRecord(wire: WireRow): ImageRecord {
  const { image_id: imageId, data_source_id: dataSourceId, timestamp, path } = reader.read(wire);
  return { imageId, dataSourceId, timestamp, path };
}
