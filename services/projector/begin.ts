// Finds the positions from which the projector continues. Another process may have worked on a partition meanwhile, and
// the log may have been replaced: only the stored position identifies the projected log and its progress.
import type { ProjectedPosition } from "../../projections/history/queries/positions.ts";
import type { GroupReader } from "../common/kafka/read/group-reader.ts";
import type { PartitionId } from "../common/kafka/read/inboxes.ts";
import { anotherLog } from "../common/kafka/read/start-offset.ts";
import type { Log } from "../common/log.ts";
import type { HistoryStore } from "./history-store.ts";
import type { ProjectedStretch } from "./project-batch.ts";

export interface BeginDeps {
  readonly reader: Pick<GroupReader, "begin">;
  readonly store: Pick<HistoryStore, "loadPositions">;
  /** Ids of the topics that currently have these names, by topic. */
  readonly logIds: (topics: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly log: Log;
  /** Returns the topic whose offsets rank the rows of `topic`; both are names on the broker. */
  readonly rankedBy: (topic: string) => string;
}

export interface Beginning {
  readonly begun: readonly ProjectedStretch[];
  /** Returns the fields to store with the positions of a partition. */
  origin(id: PartitionId): Pick<ProjectedPosition, "logId" | "rankBase">;
  rankBase(topic: string, partition: number): number;
}

/** Rejects with ForeignPosition when a stored position belongs to another log. */
export async function begin(
  { reader, store, logIds, log, rankedBy }: BeginDeps,
  assigned: readonly PartitionId[],
): Promise<Beginning> {
  const topics = [...new Set(assigned.flatMap(({ topic }) => [topic, rankedBy(topic)]))];
  const [ids, ...loaded] = await Promise.all([logIds(topics), ...topics.map((topic) => store.loadPositions(topic))]);
  const positions = new Map(topics.map((topic, i) => [topic, loaded[i]]));
  const stored = ({ topic, partition }: PartitionId) => positions.get(topic)?.get(partition);

  for (const id of assigned) {
    const { logId, next } = stored(id) ?? {};
    if (logId !== undefined && next !== undefined && logId !== ids.get(id.topic)) throw anotherLog(id, next);
  }
  const begun = await reader.begin(assigned.map((id) => ({ ...id, offset: stored(id)?.next })));
  return {
    begun: assigned.map((id, i) => {
      const next = begun[i] ?? stored(id)?.next ?? 0;
      const first = stored(id)?.next ?? next;
      if (next > first) log.warn({ ...id, first, last: next - 1 }, "the log dropped offsets that were not projected");
      return { ...id, first: next, next };
    }),
    origin: (id) => ({ logId: ids.get(id.topic), rankBase: stored(id)?.rankBase ?? 0 }),
    rankBase: (topic, partition) => stored({ topic, partition })?.rankBase ?? 0,
  };
}
