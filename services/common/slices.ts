// Long work of one request, cut into slices: between two slices other requests have a turn of the event loop.
import { setImmediate } from "node:timers/promises";

export interface Slices {
  /** Called between steps. When it returns true, the caller awaits `next` before going on. */
  isOver(): boolean;
  next(): Promise<void>;
}

const SLICE_MS = 10;

export function createSlices(): Slices {
  let endsAt = performance.now() + SLICE_MS;
  return {
    isOver: () => performance.now() >= endsAt,
    async next() {
      await setImmediate();
      endsAt = performance.now() + SLICE_MS;
    },
  };
}
