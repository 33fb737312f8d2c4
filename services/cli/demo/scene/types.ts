// The parts of a generated scene. Image pixels, y grows downwards; times are ms since the epoch.

export type PointRing = readonly (readonly [number, number])[];

export interface SceneZone {
  readonly name: string;
  /** GeoJSON polygon coordinates: exterior ring, then holes; every ring closed. */
  readonly rings: readonly PointRing[];
}

/** Edges in the order left, top, right, bottom. */
export type PixelBox = readonly [number, number, number, number];

export interface SceneDetection {
  readonly trackId: string;
  readonly timestamp: number;
  readonly box: PixelBox;
}

export interface SceneTrack {
  readonly trackId: string;
  readonly tag: string;
  /** At least one detection, in time order. */
  readonly detections: readonly SceneDetection[];
  /** Sent with the last detection or shortly after. Undefined when the camera just stops seeing the walker. */
  readonly endTime: number | undefined;
}

/** A message that a camera pipeline would send. */
export type CameraDelivery = { readonly deliverAt: number } & (
  | {
      readonly type: "trackStarted";
      readonly trackId: string;
      readonly tag: string;
      readonly startTime: number;
      readonly detections: readonly SceneDetection[];
    }
  | { readonly type: "detectionsSeen"; readonly detections: readonly SceneDetection[] }
  | {
      readonly type: "trackExpired";
      readonly trackId: string;
      readonly endTime: number;
      readonly detections: readonly SceneDetection[];
    }
);

export interface SceneCamera {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly zones: readonly SceneZone[];
  readonly tracks: readonly SceneTrack[];
  /** Every detection once, sorted by time, then track. */
  readonly detections: readonly SceneDetection[];
  readonly deliveries: readonly CameraDelivery[];
}

export interface TrueIntersection {
  readonly trackId: string;
  readonly zoneName: string;
  readonly startTime: number;
  readonly endTime: number;
}

export interface Scene {
  readonly cameras: readonly SceneCamera[];
}

export interface SceneOptions {
  readonly seed: number;
  readonly cameras: number;
  /** Number of walkers in the picture of each camera at a time; another one follows a walker that leaves. */
  readonly walkersPerCamera: number;
  readonly seconds: number;
  readonly fps: number;
  /** Time of the first frame, ms since the epoch. */
  readonly start: number;
  readonly width?: number;
  readonly height?: number;
  /** Replaces the twelve zones made for the picture. */
  readonly zones?: readonly SceneZone[];
  /** Largest error of each box edge, in pixels. */
  readonly jitterPx?: number;
  readonly shortDropoutsPerMinute?: number;
  readonly longDropoutsPerMinute?: number;
  /** Share of the messages that are delivered twice. */
  readonly duplicateShare?: number;
  /** Detections between a track's first and last arrive up to this much late; with 0, in time order. */
  readonly maxLateMs?: number;
}
