// Events with defaults: a test names what matters to it.
import type {
  CameraLogEvent,
  Detection,
  TrackCreated,
  TrackUpdated,
  ZoneIntersectionChanged,
} from "../../../schemas/events.ts";
import { intersectionId } from "../../../schemas/identity.ts";

/** Within the calendar and in the past; tests count seconds from it. */
const START = Date.UTC(2026, 0, 1);
export const at = (second: number): number => START + second * 1_000;
export const iso = (second: number): string => new Date(at(second)).toISOString();

export const detection = (trackId: string, second: number, more: Partial<Detection> = {}): Detection => ({
  trackId,
  timestamp: at(second),
  polygon: null,
  position: null,
  direction: null,
  metadata: null,
  ...more,
});

export const box = (x: number, y: number, size = 10) => ({
  rings: [[x, y, x + size, y, x + size, y + size, x, y + size, x, y]],
  crs: null,
});

export const created = (trackId: string, more: Partial<TrackCreated> = {}): CameraLogEvent => ({
  type: "TrackCreated",
  event: trackCreated(trackId, more),
});

export const trackCreated = (trackId: string, more: Partial<TrackCreated> = {}): TrackCreated => ({
  trackId,
  dataSourceId: "cam",
  tag: "person",
  startTime: at(0),
  endTime: null,
  modelId: null,
  properties: null,
  metadata: null,
  detections: [],
  ...more,
});

export const updated = (trackId: string, more: Partial<TrackUpdated> = {}): CameraLogEvent => ({
  type: "TrackUpdated",
  event: trackUpdated(trackId, more),
});

export const trackUpdated = (trackId: string, more: Partial<TrackUpdated> = {}): TrackUpdated => ({
  trackId,
  dataSourceId: "cam",
  tag: null,
  startTime: null,
  endTime: null,
  properties: null,
  metadata: null,
  cleared: [],
  detections: [],
  ...more,
});

export const expired = (
  trackId: string,
  second: number,
  { dataSourceId = "cam", readUpTo = null }: { dataSourceId?: string; readUpTo?: number | null } = {},
): CameraLogEvent => ({
  type: "TrackExpired",
  event: { trackId, dataSourceId, endTime: at(second), reason: "expired", readUpTo },
});

export const recorded = (dataSourceId: string, ...detections: Detection[]): CameraLogEvent => ({
  type: "DetectionsRecorded",
  event: { dataSourceId, detections },
});

export const change = (
  state: ZoneIntersectionChanged["state"],
  offset: number,
  more: Partial<ZoneIntersectionChanged> = {},
): ZoneIntersectionChanged => {
  const trackId = more.trackId ?? "walker";
  const zoneId = more.zoneId ?? "zone";
  const startTime = more.startTime ?? at(0);
  return {
    intersectionId: intersectionId(trackId, zoneId, startTime),
    zoneId,
    trackId,
    dataSourceId: "cam",
    tag: "person",
    state,
    startTime,
    endTime: state === "END" ? at(9) : null,
    lastInside: at(1),
    cause: { partition: 0, offset, index: 0 },
    ...more,
  };
};
