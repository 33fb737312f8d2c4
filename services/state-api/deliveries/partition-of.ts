import { topicName } from "../../../schemas/topics.ts";
import { createPartitionOf } from "../../common/kafka/partition-of.ts";
import type { Shared } from "../shared.ts";

/** The partition of the signals that has those of a subscription. */
export function createSignalPartitionOf({ config, namespace }: Shared): (subscriptionId: string) => number {
  const signals = topicName(namespace, "signals");
  const partitionOf = createPartitionOf(new Map([[signals, config.CAMERA_PARTITIONS]]));
  return (id) => partitionOf(signals, id);
}
