// The objects of the State Machine API that describe tracks and zones.
import type { z } from "zod";
import type {
  activeTrack,
  interaction,
  motionPair,
  positionState,
  trackStateSchema,
  zoneEntry,
  zoneHistoryEntry,
  zoneStateSchema,
} from "../../schemas/rest/live.ts";

export type TrackState = z.output<typeof trackStateSchema>;
export type ZoneState = z.output<typeof zoneStateSchema>;
export type Interaction = z.output<typeof interaction>;
export type ActiveTrack = z.output<typeof activeTrack>;
export type ZoneIntersection = z.output<typeof zoneEntry>;
export type ZoneHistoryEntry = z.output<typeof zoneHistoryEntry>;
export type PositionState = z.output<typeof positionState>;
export type MotionPair = z.output<typeof motionPair>;
export type MotionState = MotionPair["pix"];
