// Builders, and a camera-log in memory: events in, outputs of the fold out.
import {
  apply,
  createPartition,
  dueExpiries,
  type LiveSettings,
  noOutputs,
  type Outputs,
  type PartitionState,
} from "../../../../projections/live/partition.ts";
import type { RecordedEvent } from "../../../../projections/live/types.ts";
import { createSignalListener } from "../../../../projections/webhooks/signals/signal-listener.ts";
import type { SourceSubscribers } from "../../../../projections/webhooks/signals/subscribers.ts";
import type {
  CameraLogEvent,
  Detection,
  TrackCreated,
  TrackExpired,
  TrackUpdated,
  Zone,
} from "../../../../schemas/events.ts";
import { liveSettings } from "../../../support/running/live-settings.ts";
import { detection } from "../../../support/scenes/detection.ts";
import { zone as anyZone } from "../../../support/scenes/zone.ts";

export const settings = liveSettings;

/** 2026-01-01T00:00:00Z; times in tests are ms after it. */
export const T0 = 1_767_225_600_000;

export const rectangle = (x0: number, y0: number, x1: number, y1: number): number[] => [
  ...[x0, y0, x1, y0],
  ...[x1, y1, x0, y1, x0, y0],
];

export const polygon = (...rings: number[][]) => ({ rings, crs: null });

/** The zone z spans x 100..200 and y 0..100; boxes of 10 x 10 have their centres at y 50. */
export const zone = (overrides: Partial<Zone> = {}): Zone => anyZone({ ...DOOR, ...overrides });

const DOOR: Partial<Zone> = {
  zoneId: "z",
  dataSourceId: "cam",
  name: "door",
  polygon: polygon(rectangle(100, 0, 200, 100)),
  createdAt: T0,
  updatedAt: T0,
};

export const INSIDE = 150;
export const OUTSIDE = 50;

/** A box with its centre at (x, 50). */
export const seen = (at: number, x: number, overrides: Partial<Detection> = {}): Detection =>
  detection({ trackId: "t", timestamp: T0 + at, polygon: polygon(rectangle(x - 5, 45, x + 5, 55)), ...overrides });

const header = { trackId: "t", dataSourceId: "cam", endTime: null, properties: null, metadata: null, detections: [] };

export const created = (overrides: Partial<TrackCreated> = {}): CameraLogEvent => ({
  type: "TrackCreated",
  event: { ...header, tag: "person", startTime: T0, modelId: null, ...overrides },
});

export const updated = (overrides: Partial<TrackUpdated> = {}): CameraLogEvent => ({
  type: "TrackUpdated",
  event: { ...header, tag: null, startTime: null, cleared: [], ...overrides },
});

export const recorded = (...detections: Detection[]): CameraLogEvent => recordedBy("cam", ...detections);

export const recordedBy = (dataSourceId: string, ...detections: Detection[]): CameraLogEvent => ({
  type: "DetectionsRecorded",
  event: { dataSourceId, detections },
});

export const expired = (at: number, trackId = "t"): CameraLogEvent => ({
  type: "TrackExpired",
  event: { trackId, dataSourceId: "cam", endTime: T0 + at, reason: "expired", readUpTo: null },
});

export const drawn = (overrides: Partial<Zone> = {}): CameraLogEvent => ({
  type: "ZoneCreated",
  event: { zone: zone(overrides) },
});

/** Sets every field of the zone. */
export function redrawn(overrides: Partial<Zone> = {}): CameraLogEvent {
  const { zoneId, dataSourceId, updatedAt, createdAt: _, ...set } = zone(overrides);
  return { type: "ZoneUpdated", event: { zoneId, dataSourceId, updatedAt, set, ifUpdatedAt: null, cleared: [] } };
}

export const deleted = (
  overrides: { zoneId?: string; dataSourceId?: string; movedTo?: string; ifUpdatedAt?: number } = {},
): CameraLogEvent => ({
  type: "ZoneDeleted",
  event: { zoneId: "z", dataSourceId: "cam", deletedAt: T0, movedTo: null, ifUpdatedAt: null, ...overrides },
});

export interface Camera {
  state: PartitionState;
  readonly out: Outputs;
  offset: number;
  /** Folds the messages; returns their intersection messages as `STATE zone start-end/lastInside` in seconds. */
  fold(...messages: CameraLogEvent[]): string[];
  /** Advances the broker time. */
  wait(ms: number): void;
  /** From now on the broker time is this one, and only `wait` advances it, whatever the times of detections. */
  setBrokerTime(at: number): void;
  /** The tracks that are due at this wall-clock time, with the whole log folded, as `track@end` in seconds. */
  due(wall: number): string[];
  /** The tracks that are due while the log holds unread messages. */
  dueBehind(wall: number): string[];
  /** Folds the expiries that are due by the log's clock, as read from the log; returns the changes as `fold` does. */
  expire(): string[];
}

interface CameraSettings extends Partial<LiveSettings> {
  /** Without any, nobody listens. */
  readonly subscriptions?: SourceSubscribers;
}

/**
 * `recordedAt` of a message is the timestamp of its last detection, or that of the message before, unless a test sets
 * it.
 */
export function createCamera({ subscriptions, ...overrides }: CameraSettings = {}): Camera {
  const listener = subscriptions && createSignalListener(subscriptions);
  const own = { ...settings, listener, ...overrides };
  let recordedAt = T0;
  let follows = true;
  const ask = (wall: number, caughtUp: boolean) =>
    dueExpiries(camera.state, { nowMs: T0 + wall, caughtUp, readUpTo: camera.offset }, own);
  const camera: Camera = {
    state: createPartition(3),
    out: noOutputs(),
    offset: 0,
    fold(...messages) {
      const before = camera.out.lists["zone-intersections"].length;
      for (const message of messages) {
        if (follows) recordedAt = Math.max(recordedAt, timeOf(message) ?? recordedAt);
        const next: RecordedEvent = { offset: camera.offset++, recordedAt, message };
        apply(camera.state, next, own, camera.out);
      }
      return camera.out.lists["zone-intersections"].slice(before).map(describeChange);
    },
    wait(ms) {
      recordedAt += ms;
    },
    setBrokerTime(at) {
      follows = false;
      recordedAt = T0 + at;
    },
    due: (wall) => ask(wall, true).map(describeEnd),
    dueBehind: (wall) => ask(wall, false).map(describeEnd),
    expire: () => camera.fold(...ask(0, false).map((event) => ({ type: "TrackExpired", event }) as const)),
  };
  return camera;
}

const timeOf = (message: CameraLogEvent): number | undefined =>
  "detections" in message.event ? message.event.detections.at(-1)?.timestamp : undefined;

const seconds = (ms: number): number => (ms - T0) / 1_000;

function describeChange(change: Outputs["lists"]["zone-intersections"][number]): string {
  const end = change.endTime === null ? "" : seconds(change.endTime);
  return `${change.state} ${change.zoneId} ${seconds(change.startTime)}-${end}/${seconds(change.lastInside)}`;
}

const describeEnd = (ended: TrackExpired): string => `${ended.trackId}@${seconds(ended.endTime)}`;
