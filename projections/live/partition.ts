// The fold of one partition of the camera-log, as a process uses it. Pure but for the state it is handed.

export { createPartition } from "./create-state.ts";
export { dueExpiries, hasSilent } from "./expiry.ts";
export { apply, applyInSteps } from "./fold.ts";
export { forgetIdle } from "./forget.ts";
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
export type { LiveSettings, Outputs, Touched } from "./types.ts";
