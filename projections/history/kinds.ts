// All kinds of the history, in an order in which a reader finds a track before the objects that refer to it.
import { type Projected, topicName } from "../../schemas/topics.ts";
import { cameraLogHistory } from "./camera-log.ts";
import { chroniclesHistory } from "./chronicles/tables.ts";
import { geofenceIntersectionsHistory } from "./geofence-intersections.ts";
import { zoneIntersectionsHistory } from "./intersections.ts";
import type { HistoryKind } from "./kind.ts";
import { recordHistories } from "./records/kinds.ts";

const byTopic: { readonly [T in Projected]: HistoryKind<T> } = {
  "camera-log": cameraLogHistory,
  "zone-intersections": zoneIntersectionsHistory,
  "geofence-intersections": geofenceIntersectionsHistory,
  chronicles: chroniclesHistory,
  ...recordHistories,
};

export const historyKinds: readonly HistoryKind[] = Object.values(byTopic);

/** A kind with its topics' names on the broker. */
export interface NamedKind {
  readonly kind: HistoryKind;
  readonly rankedBy: string;
}

/** The kinds by their topics' names on the broker. */
export const namedKinds = (namespace: string): ReadonlyMap<string, NamedKind> =>
  new Map(
    historyKinds.map((kind) => [
      topicName(namespace, kind.topic),
      { kind, rankedBy: topicName(namespace, kind.rankedBy) },
    ]),
  );
