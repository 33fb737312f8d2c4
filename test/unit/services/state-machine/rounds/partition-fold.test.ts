import type { KafkaMessage } from "kafkajs";
import { expect, test } from "vitest";
import { applyInSteps, countTouched, createPartition, takeTouched } from "../../../../../projections/live/partition.ts";
import { type FoldSteps, PartitionFold } from "../../../../../services/state-machine/rounds/partition-fold.ts";
import { liveSettings } from "../../../../support/running/live-settings.ts";
import { detection } from "../../../../support/scenes/detection.ts";

const PER_MESSAGE = 100;

/** Each detection of the log is of another track. */
function createFold(messages: number) {
  const fold = new PartitionFold(createPartition(0), 0);
  const log = Array.from({ length: messages }, (_, i) => ({ offset: String(i) }) as KafkaMessage);
  fold.take({ topic: "log", partition: 0, messages: log, next: messages, highWatermark: messages });
  const stepsOf = ({ offset }: KafkaMessage): FoldSteps => {
    const detections = Array.from({ length: PER_MESSAGE }, (_, n) => detection({ trackId: `${offset}-${n}` }));
    const message = { type: "DetectionsRecorded", event: { dataSourceId: "ds1", detections } } as const;
    return applyInSteps(fold.state, { offset: Number(offset), recordedAt: 1_000, message }, liveSettings, fold.out);
  };
  return { fold, stepsOf };
}

test("once a state is large, a round ends before one save cannot hold it, and the next continues there", () => {
  const { fold, stepsOf } = createFold(380);
  const rounds: number[] = [];

  while (!fold.isDone) {
    fold.fold(Number.POSITIVE_INFINITY, stepsOf);
    rounds.push(countTouched(fold.state));
    takeTouched(fold.state);
  }

  // Beside the tracks, each round touches their data source.
  expect(rounds).toEqual([30_101, 5_001, 2_901]);
  expect(fold.next).toBe(380);
});
