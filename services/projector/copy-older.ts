// Copies the rows that the log can no longer give from the serving database into the one that a rebuild fills.
import type { Kafka } from "kafkajs";
import type { HistoryKind } from "../../projections/history/kind.ts";
import { historyKinds } from "../../projections/history/kinds.ts";
import { positionsTable } from "../../projections/history/positions.ts";
import { topicName, topics } from "../../schemas/topics.ts";
import { type CopyRowsDeps, copySpans, copyWhole, isRecorded } from "./copy-rows.ts";
import { type FirstMessages, firstMessages, lostSpans } from "./first-messages.ts";

export interface CopyOlderDeps extends CopyRowsDeps {
  readonly kafka: Kafka;
  readonly namespace: string;
}

/**
 * Copies, for each partition of the log, what was recorded up to its first message. Rows of that message itself are
 * copied and projected, and are one row. The copy comes before the projection, so that of two rows which rank alike the
 * projected one counts. A copy may take hours, and the log loses messages meanwhile: what it has lost is copied, too,
 * until a look at all first messages finds them where they were.
 */
export async function copyOlder(deps: CopyOlderDeps): Promise<void> {
  const replaced = await copyRankBases(deps);
  const isKept = ({ topic }: HistoryKind) => topics[topic].retentionMs === -1;
  // The log has every message of a topic that is kept for ever, unless the topic has replaced another one.
  for (const { rankedBy, tables } of historyKinds.filter(isKept)) {
    if (!replaced.has(topicName(deps.namespace, rankedBy))) continue;
    for (const table of tables) await copyWhole(table, deps);
  }
  const copied = new Map<HistoryKind, FirstMessages>();
  for (let isMoved = true; isMoved; ) {
    isMoved = false;
    for (const kind of historyKinds.filter((each) => !isKept(each))) {
      if (await copyLost(kind, copied, deps)) isMoved = true;
    }
  }
}

/** @returns false when the log has lost nothing of the kind since it was copied last. */
async function copyLost(kind: HistoryKind, copied: Map<HistoryKind, FirstMessages>, deps: CopyOlderDeps) {
  const first = await firstMessages(deps.kafka, topicName(deps.namespace, kind.topic));
  const spans = lostSpans(copied.get(kind), first);
  if (spans.length === 0) return false;
  for (const table of kind.tables.filter(isRecorded)) await copySpans(table, spans, deps);
  copied.set(kind, first);
  return true;
}

/**
 * Rows of a log that was replaced rank below those of the present one only with its rank bases. Resolves with the names
 * on the broker of the topics that have one.
 */
async function copyRankBases({ client, from }: CopyOlderDeps): Promise<ReadonlySet<string>> {
  const columns = "topic, partition, next_offset, log_id, rank_base";
  const query = `INSERT INTO ${positionsTable.name} (${columns})
    SELECT topic, partition, 0, argMax(log_id, (rank_base, next_offset)), max(rank_base)
    FROM ${from}.${positionsTable.name} GROUP BY topic, partition HAVING max(rank_base) > 0`;
  await client.command({ query });
  const copied = await client.query({
    query: `SELECT DISTINCT topic FROM ${positionsTable.name} WHERE rank_base > 0`,
    format: "JSONEachRow",
  });
  return new Set((await copied.json<{ topic: string }>()).map(({ topic }) => topic));
}
