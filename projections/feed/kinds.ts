// All kinds of subscriptions.
import type { Topic } from "../../schemas/topics.ts";
import { activityChronicles, eventChronicles, summaryChronicles } from "./chronicles.ts";
import { detectionActivityFeed } from "./detection-activity.ts";
import { devicesFeed } from "./devices.ts";
import { eventActivityFeed } from "./event-activity.ts";
import { geofenceIntersectionsFeed } from "./geofence-intersections.ts";
import type { CreateFold, FeedKind } from "./kind.ts";
import { recordFeeds } from "./record-feeds.ts";
import { tracksFeed } from "./tracks.ts";
import { zoneIntersectionsFeed } from "./zone-intersections.ts";

export const feedKinds: readonly FeedKind[] = [
  tracksFeed,
  detectionActivityFeed,
  zoneIntersectionsFeed,
  geofenceIntersectionsFeed,
  devicesFeed,
  activityChronicles,
  eventChronicles,
  summaryChronicles,
  eventActivityFeed,
  ...recordFeeds,
];

const byField = new Map(feedKinds.map((kind) => [kind.field, kind]));

/** @returns undefined when there is no such subscription. */
export const feedKindOf = (field: string): FeedKind | undefined => byField.get(field);

/** Returns how many messages before the wanted one a reader of the topic must begin. */
export const lookbackOf = (topic: Topic, newest: number): number =>
  feedKinds.some((kind) => kind.topic === topic && kind.readsAll) ? Number.POSITIVE_INFINITY : newest;

/** The folds of a topic. Kinds that are folded together share one. */
export const foldsOf = (topic: Topic): readonly CreateFold[] => [
  ...new Set(feedKinds.filter((kind) => kind.topic === topic).map(({ createFold }) => createFold)),
];
