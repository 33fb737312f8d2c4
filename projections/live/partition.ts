// The fold of one partition of the camera-log, as processes use it. It is pure except for the state that it gets.

export { createPartition } from "./create-state.ts";
export { dueExpiries, hasSilent, newestRecordedAt } from "./expiry.ts";
export { apply, applyInSteps, applyTime } from "./fold.ts";
export { forgetIdle } from "./forget.ts";
export { createGeofences, type Geofences } from "./geofences.ts";
export type { LiveListener } from "./listener.ts";
export { emptyLists, noOutputs, type Outputs } from "./outputs.ts";
export { takeEndsOfForgotten } from "./owed-ends.ts";
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
export { type LiveSettings, type Touched, textKinds } from "./types.ts";
