// The order in which vitest takes the test files. The longest file of a level comes first, so that no long file
// begins last. Levels that share workers advance together, so that files which wait for time-outs run beside files
// which compute.
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Seconds that the long files take; they need not be exact. */
export const LONG: Readonly<Record<string, number>> = {
  "test/integration/projector/crashes.test.ts": 64,
  "test/integration/replay/replay.test.ts": 50,
  "test/integration/api/chronicles.test.ts": 45,
  "test/integration/embedded/stores.test.ts": 33,
  "test/integration/history/filters.test.ts": 25,
  "test/integration/history/filters-agree.test.ts": 24,
  "test/integration/api/api.test.ts": 24,
  "test/integration/history/months.test.ts": 23,
  "test/integration/history/settled.test.ts": 19,
  "test/integration/state-api/chronicle-query.test.ts": 18,
  "test/integration/state-api/snapshot.test.ts": 18,
  "test/integration/media/clips.test.ts": 17,
  "test/integration/projector/projector.test.ts": 15,
  "test/integration/feed/filters-like-queries.test.ts": 15,
  "test/integration/media/images.test.ts": 15,
  "test/integration/history/chronicles.test.ts": 15,
  "test/integration/history/pages.test.ts": 15,
  "test/integration/api/concurrent-updates.test.ts": 13,
  "test/integration/dead-letters/redrive.test.ts": 13,
  "test/integration/reconcile/reconcile.test.ts": 13,
  "test/integration/summaries/summaries.test.ts": 13,
  "test/integration/api/videos.test.ts": 12,
  "test/e2e/public-schema.test.ts": 165,
  "test/e2e/late.test.ts": 62,
  "test/e2e/backfill.test.ts": 38,
  "test/e2e/truth.test.ts": 25,
  "test/e2e/rebuild.test.ts": 24,
  "test/e2e/geofences.test.ts": 23,
  "test/e2e/wrong-clock.test.ts": 22,
  "test/e2e/chronicle-signals.test.ts": 21,
  "test/e2e/moved-start.test.ts": 20,
  "test/e2e/forgotten-routing.test.ts": 13,
  "test/faults/kill-nine.test.ts": 242,
  "test/faults/cluster.test.ts": 229,
  "test/faults/broker.test.ts": 204,
  "test/faults/rebalance.test.ts": 191,
  "test/faults/registry.test.ts": 161,
  "test/faults/redis.test.ts": 155,
  "test/faults/clickhouse.test.ts": 119,
  "test/faults/sigterm.test.ts": 79,
  "test/faults/hang.test.ts": 69,
  "test/faults/subscribers.test.ts": 63,
  "test/faults/impatient.test.ts": 50,
  "test/faults/uneven-brokers.test.ts": 40,
  "test/faults/kill-nine-webhooks.test.ts": 34,
  "test/faults/dead-letters.test.ts": 33,
  "test/faults/signals.test.ts": 27,
  "test/faults/event-state.test.ts": 27,
  "test/faults/flood.test.ts": 24,
};
const SHORT_S = 3;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const levels = Map.groupBy(files, ({ project }) => project.name);
    const placed = [...levels.values()].flatMap((level) =>
      place(level.map((file) => ({ file, seconds: LONG[relative(root, file.moduleId)] ?? SHORT_S }))),
    );
    const groupOf = (file: TestSpecification) => file.project.config.sequence.groupOrder;
    return placed.sort((a, b) => groupOf(a.file) - groupOf(b.file) || a.at - b.at).map(({ file }) => file);
  }
}

interface Timed {
  readonly file: TestSpecification;
  readonly seconds: number;
}

/** `at`: the share of the level's work that comes before the file. */
function place(level: readonly Timed[]): { readonly file: TestSpecification; readonly at: number }[] {
  const total = level.reduce((sum, { seconds }) => sum + seconds, 0);
  let before = 0;
  return level
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ file, seconds }) => {
      const at = before / total;
      before += seconds;
      return { file, at };
    });
}
