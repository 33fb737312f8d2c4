// The image of a data source at an instant: the frame of the video that covers it, or else the nearest image. A frame
// is stored, so only callers that may write can request one, although the schema declares a query.
import { may } from "../../../projections/catalog/tokens.ts";
import { nearestImage } from "../../../projections/history/queries/nearest-image.ts";
import { type ImageRecord, imageHistory } from "../../../projections/history/records/image.ts";
import { AppError } from "../../../schemas/errors.ts";
import { isoTime, snapshotId } from "../../../schemas/identity.ts";
import { imageFormat } from "./image-format.ts";
import type { MediaContext } from "./media-context.ts";
import { storeImage } from "./store-image.ts";

/** Milliseconds between an instant and its nearest image. An image from further off would show another scene. */
export const NEAREST_MS = 10_000;

interface Instant {
  readonly dataSourceId: string;
  readonly timestamp: number;
}

/** Throws NOT_FOUND when there is neither a frame nor an image. */
export async function takeSnapshot(instant: Instant, context: MediaContext): Promise<ImageRecord> {
  const id = snapshotId(instant.dataSourceId, instant.timestamp);
  await context.historyReached("images");
  const [known] = await imageHistory.byIds(context.history.client, [id]);
  const mayStore = may(context.principal, "write");
  const made = known ?? (mayStore ? await frameOf(id, instant, context) : undefined);
  const found = made ?? (await nearest(instant, context));
  if (found !== undefined) return found;
  const at = `${instant.dataSourceId} at ${isoTime(instant.timestamp)}`;
  const hint = mayStore ? "" : "; a frame is taken for tokens with the scope write";
  throw new AppError("NOT_FOUND", `there is neither a frame nor an image of data source ${at}${hint}`);
}

async function frameOf(id: string, instant: Instant, context: MediaContext): Promise<ImageRecord | undefined> {
  const { dataSourceId, timestamp } = instant;
  const video = await context.loaders.coveringVideo({ dataSourceId, from: timestamp, to: timestamp });
  const source = video && (await context.media.source(video.path));
  if (video === undefined || source === undefined) return undefined;
  const bytes = await context.frames.take(source, timestamp - video.startTime);
  const format = bytes && imageFormat(bytes);
  if (bytes === undefined || format === undefined) return undefined;
  // The id derives from the instant, so a repeated request finds the stored image.
  return storeImage({ id, dataSourceId, timestamp, fileName: null, bytes, format }, context);
}

const nearest = ({ dataSourceId, timestamp }: Instant, { history }: MediaContext) =>
  nearestImage(history.client, dataSourceId, { at: timestamp, withinMs: NEAREST_MS });
