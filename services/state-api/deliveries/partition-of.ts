import { topicName } from "../../../schemas/topics.ts";
import { createPartitionOf } from "../../common/kafka/partition-of.ts";
import type { Shared } from "../shared/shared.ts";

/** Returns a function that finds a subscription's partition of the signals topic. */
export function createSignalPartitionOf({ config, namespace }: Shared): (subscriptionId: string) => number {
  const signals = topicName(namespace, "signals");
  const partitionOf = createPartitionOf(new Map([[signals, config.CAMERA_PARTITIONS]]));
  return (id) => partitionOf(signals, id);
}
