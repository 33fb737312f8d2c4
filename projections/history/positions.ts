// projector_positions_v1: how far each partition of a topic was projected; the furthest row counts.
import { createTable } from "./table.ts";

export interface ProjectedPosition {
  /** Offset of the next message to project. */
  readonly next: number;
  /** Kafka's id of the topic; undefined if it was unknown. */
  readonly logId: string | undefined;
  /** Added to the log's offsets where the history ranks by them; more than 0 for a log that replaced another. */
  readonly rankBase: number;
}

/** The position of one partition of a topic, with the broker's name of the topic. */
export interface PartitionPosition extends ProjectedPosition {
  readonly topic: string;
  readonly partition: number;
}

export const positionsTable = createTable<PartitionPosition>("projector_positions_v1", {
  topic: { from: (position) => position.topic },
  partition: { from: (position) => position.partition },
  next_offset: { from: (position) => position.next },
  log_id: { from: ({ logId }) => logId ?? "" },
  rank_base: { from: (position) => position.rankBase },
});
