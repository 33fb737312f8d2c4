// The objects of the State Machine API that describe tracks and zones.
import type { z } from "zod";
import type {
  activeTrack,
  interaction,
  motionPair,
  positionState,
  trackState,
  zoneEntry,
  zoneHistoryEntry,
  zoneState,
} from "../../schemas/rest/live.ts";

export type TrackState = z.output<typeof trackState>;
export type ZoneState = z.output<typeof zoneState>;
export type Interaction = z.output<typeof interaction>;
export type ActiveTrack = z.output<typeof activeTrack>;
export type ZoneIntersection = z.output<typeof zoneEntry>;
export type ZoneHistoryEntry = z.output<typeof zoneHistoryEntry>;
export type PositionState = z.output<typeof positionState>;
export type MotionPair = z.output<typeof motionPair>;
export type MotionState = MotionPair["pix"];
