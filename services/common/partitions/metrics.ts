// The metrics of partitions that one process of a service owns.
import { counter, observedGauge } from "../metrics/define.ts";

export const ownedPartitions = observedGauge("owned_partitions", "Partitions that this process works on.", ["topic"]);

export const lostPartitions = counter(
  "lost_partitions_total",
  "Partitions that were lost after a failure and had to be taken over again.",
  ["topic"],
);
