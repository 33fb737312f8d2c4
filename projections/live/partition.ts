// The fold of one partition of the camera-log, as processes use it. Pure except for the state that it gets.

/** @internal */
export { noSubscriptions } from "../signals/listeners.ts";
export { createPartition } from "./create-state.ts";
export { dueExpiries, hasSilent, newestRecordedAt } from "./expiry.ts";
export { apply, applyInSteps, applyTime } from "./fold.ts";
export { forgetIdle } from "./forget.ts";
export { createGeofences, type Geofences } from "./geofences.ts";
export { takeEndsOfForgotten } from "./owed-ends.ts";
export type { Steps } from "./pace.ts";
export {
  clearTouched,
  countTouched,
  createRestoration,
  type Text,
  takeTouched,
  textsOf,
} from "./persist.ts";
export type { PartitionState } from "./state.ts";
export { stamp } from "./stored.ts";
export { type LiveSettings, noOutputs, type Outputs, type Touched, textKinds } from "./types.ts";
