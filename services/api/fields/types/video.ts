import type { DataSource } from "../../../../projections/catalog/data-source.ts";
import type { VideoRecord } from "../../../../projections/history/queries/records.ts";
import type { ApiContext } from "../../graphql/context.ts";

export const Video = {
  /** The data source may be deleted, or be known to the producer of the video only. */
  dataSource: (
    { dataSourceId: id, startTime }: VideoRecord,
    _args: unknown,
    { catalog }: Pick<ApiContext, "catalog">,
  ): DataSource =>
    catalog.get("dataSource", id) ?? {
      ...{ id, name: id, type: "VIDEO_DEVICE", labels: null },
      ...{ createdAt: startTime, updatedAt: startTime },
    },
  url: ({ path }: VideoRecord, _args: unknown, { media }: ApiContext) => media.signedUrl(path),
  thumbnailUrl: ({ thumbnailPath }: VideoRecord, _args: unknown, { media }: ApiContext) =>
    thumbnailPath === null ? null : media.signedUrl(thumbnailPath),
  createdBy: () => null,
};
