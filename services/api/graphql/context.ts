// Everything that a resolver may use while it answers an operation.

import type { Heartbeats } from "../../../projections/catalog/heartbeats.ts";
import type { Locate } from "../../../projections/catalog/locate.ts";
import type { BinaryHistory } from "../../../projections/history/queries/records.ts";
import type { Turns } from "../../common/turns.ts";
import type { MediaContext } from "../media/media-context.ts";
import type { Trials } from "../read/trials.ts";
import type { System } from "../system/system.ts";
import type { NoteTraffic } from "../write/traffic.ts";
import type { Budget } from "./budget.ts";

export type { Principal } from "../../../projections/catalog/tokens.ts";

export interface ApiContext extends MediaContext {
  /** Buckets of one summary. */
  readonly maxBuckets: number;
  /** Vertices of one zone, or of one site. */
  readonly maxZoneVertices: number;
  /** Objects that one operation may produce. */
  readonly maxCost: number;
  readonly maxAnswerBytes: number;
  /** Counts the lists whose length `cost.ts` cannot know. */
  readonly budget: Budget;
  /**
   * Lets only a few summaries of an operation run at a time, because each may use the time and memory that ClickHouse
   * grants a whole query.
   */
  readonly summaries: Turns;
  readonly trials: Trials;
  readonly system: System;
  readonly history: BinaryHistory;
  /** Computes the position of a detection from its camera's calibration. */
  readonly locate: Locate;
  readonly heartbeats: Heartbeats;
  readonly noteTraffic: NoteTraffic;
  /** The first root field, once the document is known to be valid; undefined for a fragment. */
  rootField: string | undefined;
}
