import type { ImageRecord } from "../../../../projections/history/images.ts";
import type { ApiContext } from "../../graphql/context.ts";

export const Image = {
  id: ({ imageId }: ImageRecord) => imageId,
  url: ({ path }: ImageRecord, _args: unknown, { media }: ApiContext) => media.signedUrl(path),
  thumbnailUrl: () => null,
};
