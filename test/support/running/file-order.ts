// The order in which vitest takes the test files. The longest file of a level comes first, so that no long file
// begins last. Levels that share workers come one after the other: a worker is a process of one level, and the next
// file goes on in it only if it is of the same level. The level with the longest files comes first.
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Seconds that the long files take; they need not be exact. */
export const LONG: Readonly<Record<string, number>> = {
  "test/integration/replay/replay.test.ts": 61,
  "test/integration/projector/crashes.test.ts": 55,
  "test/integration/replay/matrix.test.ts": 46,
  "test/integration/operations/operations.test.ts": 45,
  "test/integration/history/months.test.ts": 42,
  "test/integration/api/chronicles.test.ts": 38,
  "test/integration/state-machine/settings.test.ts": 33,
  "test/integration/history/settled.test.ts": 31,
  "test/integration/media/images.test.ts": 31,
  "test/integration/replay/command.test.ts": 29,
  "test/integration/state-api/snapshot.test.ts": 29,
  "test/integration/projector/rebuild.test.ts": 28,
  "test/integration/history/tags-alone.test.ts": 28,
  "test/integration/api/api.test.ts": 25,
  "test/integration/media/stores.test.ts": 25,
  "test/integration/secured/roles.test.ts": 24,
  "test/integration/producers/snippets.test.ts": 24,
  "test/integration/history/pages.test.ts": 21,
  "test/integration/operations/stretch.test.ts": 21,
  "test/integration/projector/projector.test.ts": 21,
  "test/integration/history/filters-agree.test.ts": 19,
  "test/integration/operations/repartition.test.ts": 17,
  "test/integration/state-machine/replaced-log.test.ts": 17,
  "test/integration/secured/kafka-logins.test.ts": 17,
  "test/integration/dead-letters/redrive.test.ts": 16,
  "test/integration/media/clips.test.ts": 16,
  "test/integration/history/filters.test.ts": 15,
  "test/integration/api/concurrent-updates.test.ts": 15,
  "test/integration/embedded/all-stores.test.ts": 14,
  "test/integration/state-machine/take-over.test.ts": 14,
  "test/integration/feed/filters-like-queries.test.ts": 14,
  "test/integration/state-machine/large-state.test.ts": 14,
  "test/integration/feed/event-stream.test.ts": 13,
  "test/integration/api/two-instances.test.ts": 13,
  "test/integration/embedded/stores.test.ts": 13,
  "test/e2e/late.test.ts": 80,
  "test/e2e/public-schema.test.ts": 80,
  "test/e2e/backfill.test.ts": 41,
  "test/e2e/truth.test.ts": 35,
  "test/e2e/geofences.test.ts": 30,
  "test/e2e/wrong-clock.test.ts": 26,
  "test/e2e/rebuild.test.ts": 24,
  "test/e2e/chronicle-signals.test.ts": 22,
  "test/e2e/live-state.test.ts": 21,
  "test/e2e/moved-start.test.ts": 18,
  "test/faults/rebalance.test.ts": 146,
  "test/faults/three-brokers.test.ts": 133,
  "test/faults/kill-nine.test.ts": 112,
  "test/faults/broker.test.ts": 104,
  "test/faults/sigterm.test.ts": 76,
  "test/faults/subscribers.test.ts": 65,
  "test/faults/registry.test.ts": 51,
  "test/faults/impatient.test.ts": 43,
  "test/faults/redis.test.ts": 43,
  "test/faults/hang.test.ts": 41,
  "test/faults/dead-letters.test.ts": 32,
  "test/faults/clickhouse.test.ts": 31,
  "test/faults/event-state.test.ts": 25,
  "test/faults/zoo.test.ts": 22,
  "test/faults/signals.test.ts": 22,
  "test/faults/flood.test.ts": 18,
  "test/faults/kill-nine-webhooks.test.ts": 15,
};
const SHORT_S = 3;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const secondsOf = ({ moduleId }: TestSpecification) => LONG[relative(root, moduleId)] ?? SHORT_S;
    const levels = Map.groupBy(files, ({ project }) => project.name);
    const longestOf = new Map(
      Array.from(levels, ([name, level]) => [name, Math.max(...level.map(secondsOf))] as const),
    );
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const levelOf = ({ project }: TestSpecification) => longestOf.get(project.name) ?? SHORT_S;
    return files.toSorted(
      (a, b) =>
        groupOf(a) - groupOf(b) ||
        levelOf(b) - levelOf(a) ||
        a.project.name.localeCompare(b.project.name) ||
        secondsOf(b) - secondsOf(a),
    );
  }
}
