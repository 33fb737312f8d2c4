// The projector's loop takes messages from the reader, turns them into rows and stores them. ClickHouse stores one
// flush while the next is gathered. Flushes finish in order.
import type { GroupReader } from "../common/kafka/read/group-reader.ts";
import type { PartitionId } from "../common/kafka/read/inboxes.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";
import { type Patience, patiently } from "../common/patiently.ts";
import { traced, tracing } from "../common/tracing/tracing.ts";
import { type Beginning, begin } from "./begin.ts";
import { inPortions, type SendDeadLetters } from "./dead-letters.ts";
import { createGathering } from "./gathering.ts";
import type { HistoryStore } from "./history-store.ts";
import { deadLetters, flushRows, insertSeconds } from "./metrics.ts";
import type { Flush, ProjectedStretch, ProjectOptions } from "./project-batch.ts";

export interface ProjectorDeps {
  readonly reader: GroupReader;
  readonly store: HistoryStore;
  readonly sendDeadLetters: SendDeadLetters;
  /** Ids of the topics that currently have these names, by topic. */
  readonly logIds: (topics: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly log: Log;
  readonly project: ProjectOptions;
  readonly flushMs: number;
  /** See GatheringOptions. */
  readonly readMs?: number;
  readonly maxFlushMs: number;
  /** Called after every stored flush, and for every partition where reading begins (first = next). */
  readonly onStored?: (covered: readonly ProjectedStretch[]) => void;
}

export function createProjector(deps: ProjectorDeps): Part & { readonly failed: Promise<never> } {
  const { reader, log } = deps;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const stopping = new AbortController();
  /**
   * A flush that cannot be stored is retried until it succeeds. No later flush is stored meanwhile, so nothing is lost.
   */
  const patience: Patience = { log, signal: stopping.signal };
  let working: Promise<void> | undefined;
  let storing: Promise<void> = Promise.resolve();
  let beginning: Beginning | undefined;
  const rankBase = (topic: string, partition: number) => beginning?.rankBase(topic, partition) ?? 0;
  const project: ProjectOptions = { ...deps.project, rankBase };
  const gathering = createGathering({ ...deps, project, signal: stopping.signal });

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const gathered = await gathering.next();
      if ("assigned" in gathered) {
        await beginAll(gathered.assigned);
        continue;
      }
      if (gathered.stretches.size === 0 || beginning === undefined) continue;
      await storing;
      storing = finish(gathered, beginning, deps, patience);
      // The failure must end the part at once: there may be no next flush that awaits it for a long time.
      storing.catch(failed.reject);
    }
    await storing;
  }

  async function beginAll(assigned: readonly PartitionId[]): Promise<void> {
    await storing;
    if (assigned.length > 0) {
      const rankedBy = (topic: string) => project.topics.get(topic)?.rankedBy ?? topic;
      beginning = await patiently("begin", () => begin({ ...deps, rankedBy }, assigned), patience);
      deps.onStored?.(beginning.begun);
    }
    log.info({ partitions: assigned.length }, "partitions assigned");
  }

  return {
    name: "projector",
    failed: failed.promise,
    async start() {
      await reader.start();
      working = work().catch((error) => failed.reject(error));
    },
    async stop() {
      stopping.abort();
      await working;
      await reader.commit([]);
      await reader.stop();
    },
  };
}

/**
 * Stores rows, then dead letters, then the position: after a crash in between only harmless work is repeated and
 * nothing is skipped. The committed offset comes last and only shows the progress.
 */
async function finish(
  { gathered, rejected, stretches, causes }: Flush,
  { origin }: Beginning,
  { store, reader, sendDeadLetters, onStored, log }: ProjectorDeps,
  patience: Patience,
): Promise<void> {
  const covered = [...stretches.values()];
  const positions = covered.map((stretch) => ({ ...stretch, ...origin(stretch) }));
  const tables = gathered.byTable();
  const startedAt = performance.now();
  const span = tracing?.follow({ name: "insert rows", kind: "consumer" }, [...causes]);
  const insert = () => patiently("insert rows", () => store.insert(tables, positions), patience);
  await traced(span, insert, () => ({ "tracklog.rows": gathered.size() }));
  insertSeconds.observe((performance.now() - startedAt) / 1_000);
  flushRows.observe(gathered.size());
  for (const { topic } of rejected) deadLetters.inc({ topic });
  for (const letters of inPortions(rejected)) {
    await patiently("send dead letters", () => sendDeadLetters(letters), patience);
  }
  for (const rows of tables) rows.release();
  await patiently("save positions", () => store.savePositions(positions), patience);
  onStored?.(covered);
  // The next flush does not wait for the group, which may have no coordinator for a while.
  void reader.commit(covered);
  const rows = Object.fromEntries(tables.map(({ table, size }) => [table.name, size]));
  const tookMs = Math.round(performance.now() - startedAt);
  log.debug({ rows, rejected: rejected.length, tookMs }, "flush stored");
}
