// The table projector_positions_v1: the position up to which each partition of a topic was projected. Of several rows,
// the one with the greatest rank base and offset counts.
import { createTable } from "./table.ts";

export interface ProjectedPosition {
  /** Offset of the next message to project. */
  readonly next: number;
  /** Kafka's id of the topic. Undefined when it was unknown. */
  readonly logId: string | undefined;
  /** Number that is added to the log's offsets to rank rows. It is greater than 0 for a log that replaced another. */
  readonly rankBase: number;
}

/** The position of one partition of a topic. `topic` is the broker's name of the topic. */
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
