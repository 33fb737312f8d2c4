// The list of all record kinds in the history.
import type { KindTopic } from "../../../schemas/records/kinds.ts";
import type { HistoryKind } from "../kind.ts";
import type { AnyRecordFeed } from "./define-record-history.ts";
import { deliveryHistory } from "./delivery.ts";
import { imageHistory } from "./image.ts";
import { measurementHistory } from "./measurement.ts";
import { videoHistory } from "./video.ts";

/** A kind without `feed` has no subscription. */
type AnyRecordHistory<T extends KindTopic> = HistoryKind<T> & { readonly feed?: AnyRecordFeed };

export const recordHistories: { readonly [T in KindTopic]: AnyRecordHistory<T> } = {
  measurements: measurementHistory,
  images: imageHistory,
  videos: videoHistory,
  "webhook-deliveries": deliveryHistory,
};
