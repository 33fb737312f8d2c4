// All kinds of subscriptions.
import type { Topic } from "../../schemas/topics.ts";
import { activityChronicles, eventChronicles, summaryChronicles } from "./chronicles.ts";
import { detectionActivity } from "./detection-activity.ts";
import { devices } from "./devices.ts";
import { eventActivity } from "./event-activity.ts";
import { geofenceIntersections } from "./geofence-intersections.ts";
import type { CreateFold, FeedKind } from "./kind.ts";
import { measurementActivity } from "./measurement-activity.ts";
import { tracks } from "./tracks.ts";
import { videoActivity } from "./video-activity.ts";
import { zoneIntersections } from "./zone-intersections.ts";

export const kinds: readonly FeedKind[] = [
  tracks,
  detectionActivity,
  zoneIntersections,
  geofenceIntersections,
  devices,
  measurementActivity,
  videoActivity,
  activityChronicles,
  eventChronicles,
  summaryChronicles,
  eventActivity,
];

const byField = new Map(kinds.map((kind) => [kind.field, kind]));

/** undefined = the subscription is not served yet. */
export const kindOf = (field: string): FeedKind | undefined => byField.get(field);

/** Messages before the one in question that a reader of the topic begins with. */
export const lookbackOf = (topic: Topic, newest: number): number =>
  kinds.some((kind) => kind.topic === topic && kind.readsAll) ? Number.POSITIVE_INFINITY : newest;

/** Kinds that are folded together share one. */
export const foldsOf = (topic: Topic): readonly CreateFold[] => [
  ...new Set(kinds.filter((kind) => kind.topic === topic).map(({ createFold }) => createFold)),
];
