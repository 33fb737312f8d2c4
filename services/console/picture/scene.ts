// The scene that a picture of a camera shows, live or at a past moment. Times are in milliseconds since the epoch.
import type { Box, Point, Ring } from "./view.ts";

/** One object as its last detection showed it. */
export interface SceneObject {
  readonly trackId: string;
  readonly tag: string;
  /** Outer ring of the last polygon, in pixels. */
  readonly ring: Ring;
  readonly box: Box;
  /** Time of the detection. */
  readonly at: number;
  /** Feet of earlier detections (middle of the lower edge of their boxes), oldest first. */
  readonly trail: readonly Point[];
  /** Longitude and latitude in degrees; null when the camera has no calibration, and the sender gave none. */
  readonly position: Point | null;
}

/** A stay of a track in a zone that has not ended. */
export interface SceneStay {
  readonly trackId: string;
  readonly zoneId: string;
  readonly since: number;
}

export interface SceneZone {
  readonly id: string;
  readonly name: string;
  /** The outer ring first, then holes. */
  readonly rings: readonly Ring[];
  readonly isActive: boolean;
  /** For comparison by whoever edits it: the zone as the server showed it last. */
  readonly updatedAt: string | null;
}

export interface Scene {
  readonly objects: ReadonlyMap<string, SceneObject>;
  readonly zones: readonly SceneZone[];
  readonly stays: readonly SceneStay[];
  /** The moment that it shows. */
  readonly at: number;
}
