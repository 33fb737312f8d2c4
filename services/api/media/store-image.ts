import { createHash } from "node:crypto";
import type { ImageRecord } from "../../../projections/history/records/image.ts";
import { imageId } from "../../../schemas/identity.ts";
import type { ImageStored } from "../../../schemas/records/image-stored.ts";
import type { ImageFormat } from "./image-format.ts";
import type { MediaContext } from "./media-context.ts";

interface NewImage extends Pick<ImageStored, "dataSourceId" | "timestamp" | "fileName"> {
  readonly bytes: Buffer;
  readonly format: ImageFormat;
  /** Replaces the id that derives from the bytes. */
  readonly id?: string;
}

/** Stores the bytes before the log records the image. Repeating it is harmless. */
export async function storeImage(image: NewImage, context: MediaContext): Promise<ImageRecord> {
  const { bytes, format, dataSourceId, timestamp, fileName } = image;
  const { ending, width, height } = format;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  // Images with equal bytes share one file.
  const path = `images/${sha256.slice(0, 2)}/${sha256}.${ending}`;
  if (!(await context.media.exists(path))) await context.media.put(path, bytes);
  const id = image.id ?? imageId(sha256, dataSourceId, timestamp);
  const event: ImageStored = { imageId: id, dataSourceId, timestamp, fileName, path, width, height };
  await context.write([{ type: "ImageStored", event }]);
  return event;
}
