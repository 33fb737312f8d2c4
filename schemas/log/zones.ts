import { boolean, enumeration, int, optional, record, string, time, withDefault } from "../avro.ts";
import { type Polygon, polygon } from "./polygon.ts";

export interface Zone {
  readonly zoneId: string;
  readonly dataSourceId: string;
  readonly name: string;
  readonly polygon: Polygon;
  readonly active: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** What of a detection must lie in the zone: its area (shared area > 0) or the bottom centre of its box. */
  readonly anchor: "area" | "bottom_center";
  /** Consecutive inside detections needed to enter; 1 = no hysteresis. */
  readonly enterDetections: number;
  /** Time outside after which the track has left; 0 = no hysteresis. */
  readonly exitDelayMs: number;
}

export const zone = record<Zone>("Zone", {
  zoneId: string,
  dataSourceId: string,
  name: string,
  polygon,
  active: boolean,
  createdAt: time,
  updatedAt: time,
  anchor: withDefault(enumeration("ZoneAnchor", ["area", "bottom_center"], "area"), "area"),
  enterDetections: withDefault(int, 1),
  exitDelayMs: withDefault(int, 0),
});

export interface ZoneCreated {
  readonly zone: Zone;
}

export const zoneCreated = record<ZoneCreated>("ZoneCreated", { zone });

/** Carries the whole zone after the change. */
export interface ZoneUpdated {
  readonly zone: Zone;
}

export const zoneUpdated = record<ZoneUpdated>("ZoneUpdated", { zone });

/** A zone that moves is deleted in the old data source's log; `movedTo` then names the new one. */
export interface ZoneDeleted {
  readonly zoneId: string;
  readonly dataSourceId: string;
  readonly deletedAt: number;
  readonly movedTo: string | null;
}

export const zoneDeleted = record<ZoneDeleted>("ZoneDeleted", {
  zoneId: string,
  dataSourceId: string,
  deletedAt: time,
  movedTo: optional(string),
});
