import type { Admin } from "kafkajs";
import { type Topic, topicName, topics } from "../../../schemas/topics.ts";
import { ledRanges } from "../../common/kafka/offsets.ts";

export interface TopicState {
  readonly name: Topic;
  readonly partitions: number;
  /** Messages, of all partitions together. */
  readonly written: number;
  readonly kept: number;
}

/** Leaves out what partitions without a leader have. */
export const topicsNow = (admin: Admin, namespace: string): Promise<TopicState[]> =>
  Promise.all(
    (Object.keys(topics) as Topic[]).map(async (name) => {
      const ranges = await ledRanges(admin, topicName(namespace, name));
      return {
        name,
        partitions: ranges.length,
        written: ranges.reduce((sum, { high }) => sum + high, 0),
        kept: ranges.reduce((sum, { low, high }) => sum + high - low, 0),
      };
    }),
  );
