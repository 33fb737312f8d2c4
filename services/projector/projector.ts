// The one loop: take what the reader has, turn it into rows, store them. While one flush is on its way to ClickHouse
// the next is gathered; flushes finish in order.
import type { GroupReader } from "../common/kafka/group-reader.ts";
import type { PartitionId } from "../common/kafka/inboxes.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";
import { type Patience, patiently } from "../common/patiently.ts";
import { type Beginning, begin } from "./begin.ts";
import { inPortions, type SendDeadLetters } from "./dead-letters.ts";
import { createGathering } from "./gathering.ts";
import type { HistoryStore } from "./history-store.ts";
import type { Flush, ProjectOptions, Stretch } from "./project-batch.ts";

export interface ProjectorDeps {
  readonly reader: GroupReader;
  readonly store: HistoryStore;
  readonly sendDeadLetters: SendDeadLetters;
  /** The id of the log that each topic's name leads to now. */
  readonly logIds: (topics: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly log: Log;
  readonly project: ProjectOptions;
  readonly flushMs: number;
  /** Called after every stored flush, and for every partition where reading begins (first = next). */
  readonly onStored?: (covered: readonly Stretch[]) => void;
}

export function createProjector(deps: ProjectorDeps): Part & { readonly failed: Promise<never> } {
  const { reader, log } = deps;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const stopping = new AbortController();
  /** A partition whose rows cannot be stored is not read further, and nothing is lost. */
  const patience: Patience = { log, signal: stopping.signal };
  let working: Promise<void> | undefined;
  let storing: Promise<void> = Promise.resolve();
  let beginning: Beginning | undefined;
  const rankBase = (topic: string, partition: number) => beginning?.rankBase(topic, partition) ?? 0;
  const project: ProjectOptions = { ...deps.project, rankBase };
  const gathering = createGathering({ reader, project, flushMs: deps.flushMs, signal: stopping.signal });

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
      // Not only when the next flush awaits it: there may be none for a long time.
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
      await reader.stop();
    },
  };
}

/**
 * Rows, then dead letters, then the position: a crash in between repeats what is harmless to repeat and skips nothing.
 * The committed offset comes last and only says how far we are.
 */
async function finish(
  { gathered, rejected, stretches }: Flush,
  { origin }: Beginning,
  { store, reader, sendDeadLetters, onStored, log }: ProjectorDeps,
  patience: Patience,
): Promise<void> {
  const covered = [...stretches.values()];
  const positions = covered.map((stretch) => ({ ...stretch, ...origin(stretch) }));
  const tables = gathered.byTable();
  const startedAt = performance.now();
  await patiently("insert rows", () => store.insert(tables, positions), patience);
  for (const letters of inPortions(rejected)) {
    await patiently("send dead letters", () => sendDeadLetters(letters), patience);
  }
  await patiently("save positions", () => store.savePositions(positions), patience);
  onStored?.(covered);
  await reader.commit(covered);
  const rows = Object.fromEntries(tables.map(({ table, rows: { length } }) => [table.name, length]));
  const tookMs = Math.round(performance.now() - startedAt);
  log.debug({ rows, rejected: rejected.length, tookMs }, "flush stored");
}
