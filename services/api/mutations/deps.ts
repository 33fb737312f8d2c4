import type { EventWriter } from "../publish.ts";
import type { TrackRouting } from "../track-routing.ts";

/** What mutations need beside the context of a request. */
export interface MutationDeps {
  readonly writer: EventWriter;
  readonly routing: TrackRouting;
  readonly maxFutureMs: number;
  readonly now: () => number;
}
