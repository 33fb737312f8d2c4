import type { FilterImageInput, ImagesSort } from "../../../schemas/filters.ts";
import { compile } from "../../filters/compile.ts";
import { imageFields } from "../../filters/images.ts";
import { bindTime } from "../../filters/sql/sql.ts";
import { type ImageRecord, imageRecord, imageSelect, imagesTable } from "../images.ts";
import type { WireRow } from "../table.ts";
import { type KeyColumn, sortKey } from "./keyset.ts";
import { type Kind, page } from "./page.ts";
import { createParams } from "./params.ts";
import type { History, Page, PageRequest } from "./records.ts";
import { type Asked, ask, askCount } from "./run.ts";

// Missing values as in images_v1.
const NO_SOURCE = "\u{10FFFF}";
const NO_TIME = 10_413_791_999_999;

const id: KeyColumn = { sql: "image_id", type: "String" };
const source: KeyColumn = { sql: "source_key", type: "String" };
const taken: KeyColumn = { sql: "time_key", type: "time" };

const images: Kind<ImageRecord> = {
  name: "images page",
  from: `${imagesTable.name} FINAL`,
  narrow: () => ({ table: imagesTable.name }),
  select: imageSelect,
  toRecord: imageRecord,
  keyOf: ({ imageId, dataSourceId, timestamp }, column) => {
    if (column === "image_id") return imageId;
    return column === "source_key" ? (dataSourceId ?? NO_SOURCE) : (timestamp ?? NO_TIME);
  },
};

export function imagesPage(
  { client, dataSourceIds }: History,
  request: PageRequest<FilterImageInput, ImagesSort>,
): Promise<Page<ImageRecord>> {
  const key = sortKey(request.sort, { ID: id, DATA_SOURCE_ID: source, TIMESTAMP: taken }, [id]);
  return page(client, images, request, key, (params, filter) =>
    compile(imageFields, filter, { params, dataSourceIds }),
  );
}

export function imagesCount({ client, dataSourceIds }: History, filter: FilterImageInput): Promise<number> {
  const params = createParams();
  const condition = compile(imageFields, filter, { params, dataSourceIds });
  return askCount(client, "images count", images.from, condition, params);
}

/** In no particular order; unknown ids are left out. */
export async function imagesByIds(client: Asked, ids: readonly string[]): Promise<ImageRecord[]> {
  if (ids.length === 0) return [];
  const params = createParams();
  const sql = `SELECT ${images.select} FROM ${images.from} WHERE image_id IN ${params.bindList("String", ids)}`;
  return (await ask<WireRow>(client, "images by ids", sql, params)).map(imageRecord);
}

/** The image of the data source nearest to an instant, and not further away; the earlier one of two. */
export async function nearestImage(
  client: Asked,
  dataSourceId: string,
  { at, withinMs }: { readonly at: number; readonly withinMs: number },
): Promise<ImageRecord | undefined> {
  const params = createParams();
  const [from, instant, to] = [at - withinMs, at, at + withinMs].map((ms) => bindTime(params, ms));
  const sql = `SELECT ${images.select} FROM ${images.from}
    WHERE source_key = ${params.bind("String", dataSourceId)} AND time_key BETWEEN ${from} AND ${to}
    ORDER BY abs(dateDiff('millisecond', time_key, ${instant})), time_key, image_id LIMIT 1`;
  const [row] = await ask<WireRow>(client, "nearest image", sql, params);
  return row === undefined ? undefined : imageRecord(row);
}
