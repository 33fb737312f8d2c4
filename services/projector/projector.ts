// The one loop: take what the reader has, turn it into rows, store them. While one flush is on its way to ClickHouse the
// next is gathered; flushes finish in order.
import { type GroupReader, type Taken, valuesOf } from "../common/kafka/group-reader.ts";
import type { PartitionId } from "../common/kafka/inboxes.ts";
import type { Part } from "../common/lifecycle.ts";
import type { Log } from "../common/log.ts";
import { type Patience, patiently } from "../common/patiently.ts";
import { type Beginning, begin } from "./begin.ts";
import { inPortions, type SendDeadLetters } from "./dead-letters.ts";
import type { HistoryStore } from "./history-store.ts";
import { createFlush, type Flush, isFull, type ProjectOptions, projectBatch, type Stretch } from "./project-batch.ts";

export interface ProjectorDeps {
  readonly reader: GroupReader;
  readonly store: HistoryStore;
  readonly sendDeadLetters: SendDeadLetters;
  /** Which log each topic's name leads to now. */
  readonly logIds: (topics: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly log: Log;
  readonly project: ProjectOptions;
  readonly flushMs: number;
  /** Told after every flush that is stored, and of every partition where reading begins (first = next). */
  readonly onStored?: (covered: readonly Stretch[]) => void;
}

const IDLE_MS = 500;

export function createProjector(deps: ProjectorDeps): Part & { readonly failed: Promise<never> } {
  const { reader, store, log } = deps;
  const { topics, maxRows, codec } = deps.project;
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const stopping = new AbortController();
  /** A partition whose rows cannot be stored is not read further, and nothing is lost. */
  const patience: Patience = { log, signal: stopping.signal };
  let loop: Promise<void> | undefined;
  let storing: Promise<void> = Promise.resolve();
  /** Taken from the reader, not yet in a flush; `start` counts the messages of the first that are. */
  let waiting: Taken[] = [];
  let start = 0;
  let beginning: Beginning | undefined;
  const project: ProjectOptions = {
    ...deps.project,
    rankBase: (partition) => beginning?.rankBase(partition) ?? 0,
  };

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const flush = await gather();
      if (flush === undefined || flush.stretches.size === 0 || beginning === undefined) continue;
      await storing;
      storing = finish(flush, beginning);
      // Not only when the next flush awaits it: there may be none for a long time.
      storing.catch(failed.reject);
    }
    await storing;
  }

  /** Waits for messages, then for company. undefined: a rebalance came, what was gathered is void. */
  async function gather(): Promise<Flush | undefined> {
    const flush = createFlush();
    let deadline: number | undefined;
    while (!stopping.signal.aborted && !isFull(flush, maxRows)) {
      fill(flush);
      if (waiting.length > 0) break;
      if (flush.stretches.size > 0) deadline ??= performance.now() + deps.flushMs;
      const leftMs = deadline === undefined ? IDLE_MS : deadline - performance.now();
      if (leftMs <= 0) break;
      const { assigned, batches } = await reader.next(leftMs);
      if (assigned !== undefined) {
        await beginAll(assigned);
        return undefined;
      }
      await codec.learn(valuesOf(batches));
      waiting.push(...batches);
    }
    return flush;
  }

  function fill(flush: Flush): void {
    while (waiting.length > 0) {
      const [batch] = waiting;
      if (batch === undefined) return;
      start = projectBatch(flush, batch, start, project);
      if (start < batch.messages.length) return;
      waiting.shift();
      start = 0;
    }
  }

  async function beginAll(assigned: readonly PartitionId[]): Promise<void> {
    waiting = [];
    start = 0;
    await storing;
    if (assigned.length > 0) {
      beginning = await patiently("begin", () => begin({ ...deps, cameraLog: topics.cameraLog }, assigned), patience);
      deps.onStored?.(beginning.begun);
    }
    log.info({ partitions: assigned.length }, "partitions assigned");
  }

  /**
   * Rows, then dead letters, then the position: a crash in between repeats what is harmless to repeat and skips nothing.
   * The committed offset comes last and only tells how far we are.
   */
  async function finish({ gathered, rejected, stretches }: Flush, { origin }: Beginning): Promise<void> {
    const covered = [...stretches.values()];
    const positions = covered.map((stretch) => ({ ...stretch, ...origin(stretch) }));
    const tables = gathered.byTable();
    const startedAt = performance.now();
    await patiently("insert rows", () => store.insert(tables, positions), patience);
    for (const letters of inPortions(rejected)) {
      await patiently("send dead letters", () => deps.sendDeadLetters(letters), patience);
    }
    await patiently("save positions", () => store.savePositions(positions), patience);
    deps.onStored?.(covered);
    await reader.commit(covered);
    const rows = Object.fromEntries(tables.map(({ table, rows: { length } }) => [table.name, length]));
    const tookMs = Math.round(performance.now() - startedAt);
    log.debug({ rows, rejected: rejected.length, tookMs }, "flush stored");
  }

  return {
    name: "projector",
    failed: failed.promise,
    async start() {
      await reader.start();
      loop = work().catch((error) => failed.reject(error));
    },
    async stop() {
      stopping.abort();
      await loop;
      await reader.stop();
    },
  };
}
