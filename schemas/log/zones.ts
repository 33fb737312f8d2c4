import { array, boolean, enumeration, int, optional, record, string, time, withDefault, word } from "../avro.ts";
import { type Clearable, type Patch, setFieldsRecord } from "../catalog/changed.ts";
import { type Polygon, polygon } from "./polygon.ts";

/** The fields of a zone that a client sets. */
export interface ZoneFields {
  readonly name: string;
  readonly polygon: Polygon;
  readonly active: boolean;
  /** The part of a detection that must lie in the zone: its area (shared area > 0) or the bottom centre of its box. */
  readonly anchor: "area" | "bottom_center";
  /** Number of consecutive detections inside after which a track has entered. 1 means no hysteresis. */
  readonly enterDetections: number;
  /** Milliseconds outside after which a track has left. 0 means no hysteresis. */
  readonly exitDelayMs: number;
}

export interface Zone extends ZoneFields {
  readonly zoneId: string;
  readonly dataSourceId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const anchor = enumeration<Zone["anchor"]>("ZoneAnchor", ["area", "bottom_center"], "area");

export const zoneRecord = record<Zone>("Zone", {
  zoneId: string,
  dataSourceId: string,
  name: string,
  polygon,
  active: boolean,
  createdAt: time,
  updatedAt: time,
  anchor: withDefault(anchor, "area"),
  enterDetections: withDefault(int, 1),
  exitDelayMs: withDefault(int, 0),
});

export interface ZoneCreated {
  readonly zone: Zone;
}

export const zoneCreated = record<ZoneCreated>("ZoneCreated", { zone: zoneRecord });

export interface ZoneUpdated extends Patch<ZoneFields> {
  readonly zoneId: string;
  readonly dataSourceId: string;
  readonly updatedAt: number;
  /** The event counts only for the zone of this `updatedAt`. Null when it counts whatever the zone is. */
  readonly ifUpdatedAt: number | null;
}

export const zoneUpdated = record<ZoneUpdated>("ZoneUpdated", {
  zoneId: string,
  dataSourceId: string,
  updatedAt: time,
  set: setFieldsRecord<ZoneFields>("ZoneFields", {
    name: string,
    polygon,
    active: boolean,
    anchor,
    enterDetections: int,
    exitDelayMs: int,
  }),
  cleared: array(word<Clearable<ZoneFields>>()),
  ifUpdatedAt: optional(time),
});

/**
 * A deletion, or the first half of a move: the zone leaves this data source's log, and is then created in that of
 * `movedTo`.
 */
export interface ZoneDeleted {
  readonly zoneId: string;
  readonly dataSourceId: string;
  readonly deletedAt: number;
  readonly movedTo: string | null;
  /** The event counts only for the zone of this `updatedAt`. Null when it counts for any, as a move does. */
  readonly ifUpdatedAt: number | null;
}

export const zoneDeleted = record<ZoneDeleted>("ZoneDeleted", {
  zoneId: string,
  dataSourceId: string,
  deletedAt: time,
  movedTo: optional(string),
  ifUpdatedAt: optional(time),
});
