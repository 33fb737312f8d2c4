// All kinds of records of which the history is made, in an order in which a reader finds a track before what is of it.
import { type Projected, topicName } from "../../schemas/topics.ts";
import { cameraLog } from "./camera-log.ts";
import { chronicleRecords } from "./chronicles.ts";
import { deliveries } from "./deliveries.ts";
import { geofenceIntersections } from "./geofence-intersections.ts";
import { images } from "./images.ts";
import { zoneIntersections } from "./intersections.ts";
import type { HistoryKind } from "./kind.ts";
import { measurements } from "./measurements.ts";
import { videos } from "./videos.ts";

const byTopic: { readonly [T in Projected]: HistoryKind<T> } = {
  "camera-log": cameraLog,
  "zone-intersections": zoneIntersections,
  "geofence-intersections": geofenceIntersections,
  chronicles: chronicleRecords,
  measurements,
  images,
  videos,
  "webhook-deliveries": deliveries,
};

export const historyKinds: readonly HistoryKind[] = Object.values(byTopic);

/** A kind with its topics' names on the broker. */
export interface NamedKind {
  readonly kind: HistoryKind;
  readonly rankedBy: string;
}

/** By the topic's name on the broker. */
export const namedKinds = (namespace: string): ReadonlyMap<string, NamedKind> =>
  new Map(
    historyKinds.map((kind) => [
      topicName(namespace, kind.topic),
      { kind, rankedBy: topicName(namespace, kind.rankedBy) },
    ]),
  );
