// The objects of the State Machine API that describe tracks and zones.

export interface TrackState {
  readonly track_id: string;
  readonly tag: string;
  readonly datasource_id: string;
  readonly datasource_name: string | null;
  readonly device_id: string | null;
  readonly site_id: string | null;
  readonly site_name: string | null;
  readonly track_start: string;
  /** Only expired or ended tracks have it. */
  readonly track_end?: string;
  readonly first_seen: string;
  readonly last_seen: string;
  /** Seconds with three decimals. */
  readonly track_age: string;
  readonly detection_count: number;
  readonly position: PositionState;
  readonly motion: MotionPair;
  readonly zones: {
    readonly active: Readonly<Record<string, ZoneIntersection>>;
    readonly history: readonly ZoneHistoryEntry[];
    readonly sequence: readonly { readonly zone_id: string; readonly entered_at: string }[];
  };
  readonly interactions: readonly never[];
  /** Event time: of the newest detection. */
  readonly updated_at: string;
  /** When the state was written; null in states that an earlier version wrote. */
  readonly applied_at: string | null;
}

export interface PositionState {
  /** Centre of the box. */
  readonly pix: { readonly x: number | null; readonly y: number | null };
  readonly geo: { readonly lon: number | null; readonly lat: number | null };
  /** Rings of points, as in GeoJSON. */
  readonly polygon: { readonly coordinates: readonly (readonly (readonly number[])[])[] } | null;
}

export interface MotionState {
  readonly velocity: number | null;
  readonly distance: number | null;
  readonly instantaneous_velocity: number | null;
  readonly instantaneous_direction: number | null;
  readonly sample_count: number | null;
}

export interface MotionPair {
  readonly pix: MotionState;
  readonly geo: MotionState;
}

export interface ZoneIntersection {
  readonly zone_id: string;
  readonly zone_name: string;
  readonly entered_at: string;
  /** Seconds. */
  readonly dwell_time: number;
  readonly detection_count: number;
  /** Share of the object's box inside the zone, 0 to 100. */
  readonly intersection: {
    readonly current_percent: number;
    readonly avg_percent: number;
    readonly sample_count: number;
  };
  readonly motion: MotionPair;
}

export interface ZoneHistoryEntry extends ZoneIntersection {
  readonly exited_at: string;
  readonly exit_position: PositionState;
}

export interface ActiveTrack {
  readonly tag: string;
  readonly entered_at: string;
  readonly dwell_time: number;
  readonly detection_count: number;
  readonly intersection: { readonly current_percent: number; readonly avg_percent: number };
  readonly motion: MotionPair;
}

export interface ZoneState {
  readonly zone_id: string;
  readonly zone_name: string;
  readonly device_id: string | null;
  readonly datasource_id: string;
  readonly datasource_name: string | null;
  readonly site_id: string | null;
  readonly site_name: string | null;
  readonly active_tracks: Readonly<Record<string, ActiveTrack>>;
  readonly track_count: number;
  /** Event time of the newest entry, exit or detection inside; null when no track was ever inside. */
  readonly updated_at: string | null;
  readonly applied_at: string | null;
  readonly trigger_track_id: string | null;
  readonly trigger_tag: string | null;
}
