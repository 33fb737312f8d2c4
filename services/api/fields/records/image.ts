import { type ImageRecord, imageHistory } from "../../../../projections/history/records/image.ts";
import { checkStoredTime } from "../../../../schemas/check-times.ts";
import { badInput, type InputPath, refuse } from "../../../../schemas/errors.ts";
import type { UploadImageInput } from "../../../../schemas/graphql/inputs.ts";
import type { ApiContext } from "../../graphql/context.ts";
import { imageFormat } from "../../media/image-format.ts";
import { storeImage } from "../../media/store-image.ts";
import { requireDataSource } from "../../read/require-data-source.ts";
import type { MutationDeps } from "../../write/deps.ts";
import { checkText } from "../../write/text.ts";
import { checkInstant, doorBounds } from "../../write/time.ts";
import { activitiesNamed } from "../chronicles/add-media.ts";
import { type RecordInApi, recordById, recordPages } from "./record-in-api.ts";

export const imageInApi: RecordInApi = {
  queries: { image: recordById(imageHistory), images: recordPages(imageHistory) },
  mutations: (deps) => ({
    uploadImage: (_root: unknown, { image }: { readonly image: UploadImageInput }, context: ApiContext) =>
      uploaded(image, ["image"], context, deps),
  }),
  types: {
    Image: {
      id: ({ imageId }: ImageRecord) => imageId,
      url: ({ path }: ImageRecord, _args: unknown, { media }: ApiContext) => media.signedUrl(path),
      thumbnailUrl: () => null,
    },
  },
};

/**
 * A client may repeat the upload: the bytes, the data source and the time are the identity of an image. `path` is the
 * path of the input.
 */
export async function uploaded(
  image: UploadImageInput,
  path: InputPath,
  context: ApiContext,
  deps: MutationDeps,
): Promise<ImageRecord> {
  const checked = checkUpload(image, path, context, deps);
  const add = await activitiesNamed(image, path, context, deps);
  const stored = await storeImage(checked, context);
  if (!isEmpty(image.eventIds) || !isEmpty(image.activityChronicleIds)) {
    // The history must have the image before the activity refers to it.
    await context.historyReached("images");
    await add({ imageIds: [stored.imageId] });
  }
  return stored;
}

/** Throws BAD_USER_INPUT for an invalid input, and NOT_FOUND for an unknown data source. */
export function checkUpload(image: UploadImageInput, path: InputPath, context: ApiContext, deps: MutationDeps) {
  const { dataSourceId = null, timestamp = null, fileName = null } = image;
  if (dataSourceId !== null) requireDataSource(context, dataSourceId, [...path, "dataSourceId"]);
  if (timestamp !== null) {
    checkInstant(timestamp, doorBounds(deps), [...path, "timestamp"]);
    refuse(checkStoredTime(timestamp), [...path, "timestamp"]);
  }
  if (fileName !== null) checkText(fileName, [...path, "fileName"]);
  const data = [...path, "data"];
  const bytes = decode(image.data, deps.maxImageBytes, data);
  const format = imageFormat(bytes);
  if (format === undefined) throw badInput("the data is no PNG, JPEG, WebP or GIF of a usual size", data);
  return { dataSourceId, timestamp, fileName, bytes, format };
}

const isEmpty = (list: readonly string[] | null | undefined): boolean => list == null || list.length === 0;

/** Node's decoder skips every character outside base64, so the length of the result is checked. */
function decode(data: string, maxBytes: number, path: InputPath): Buffer {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  const size = (data.length * 3) / 4 - padding;
  if (size > maxBytes) throw badInput(`an image has at most ${maxBytes} bytes`, path);
  const bytes = Buffer.from(data, "base64");
  if (data.length === 0 || data.length % 4 !== 0 || bytes.length !== size || /[-_]/.test(data)) {
    throw badInput("not base64 (RFC 4648, section 4, with padding)", path);
  }
  return bytes;
}
