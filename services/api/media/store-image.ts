import { createHash } from "node:crypto";
import type { ImageRecord } from "../../../projections/history/images.ts";
import type { ImageStored } from "../../../schemas/events.ts";
import { imageId } from "../../../schemas/identity.ts";
import type { ApiContext } from "../graphql/context.ts";
import type { ImageFormat } from "./image-format.ts";

interface NewImage extends Pick<ImageStored, "dataSourceId" | "timestamp" | "fileName"> {
  readonly bytes: Buffer;
  readonly format: ImageFormat;
  /** Instead of the id that is made of the bytes. */
  readonly id?: string;
}

/** Stores the bytes before the log says that they are there. Repeating it is harmless. */
export async function storeImage(image: NewImage, context: ApiContext): Promise<ImageRecord> {
  const { bytes, format, dataSourceId, timestamp, fileName } = image;
  const { ending, width, height } = format;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  // Equal bytes are one file, whatever images there are of it.
  const path = `images/${sha256.slice(0, 2)}/${sha256}.${ending}`;
  if (!(await context.media.exists(path))) await context.media.put(path, bytes);
  const id = image.id ?? imageId(sha256, dataSourceId, timestamp);
  const event: ImageStored = { imageId: id, dataSourceId, timestamp, fileName, path, width, height };
  await context.write([{ type: "ImageStored", event }]);
  return event;
}
