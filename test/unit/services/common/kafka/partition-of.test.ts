import { expect, test } from "vitest";
import { createPartitionOf } from "../../../../../services/common/kafka/partition-of.ts";

/**
 * Key, partition of 12 and of 7, as kafka-clients 4.1 gives them: Utils.toPositive(Utils.murmur2(key)) % partitions.
 */
const BY_JAVA: readonly (readonly [string, number, number])[] = [
  ["", 9, 2],
  ["a", 4, 5],
  ["ab", 2, 0],
  ["abc", 3, 4],
  ["camera-1", 2, 5],
  ["camera-42", 8, 2],
  ["ds1", 8, 4],
  ["0191a0c4-7b1e-7c3a-9f60-3b6d4f0a1c2e", 2, 6],
  ["Kamera-ü", 5, 2],
  ["摄像头", 10, 4],
  ["📷", 0, 4],
  ["x".repeat(300), 4, 0],
];

test.each(BY_JAVA)("the key %j is in the partitions where the Java client looks for it", (key, of12, of7) => {
  const partitionOf = createPartitionOf(
    new Map([
      ["twelve", 12],
      ["seven", 7],
    ]),
  );

  expect([partitionOf("twelve", key), partitionOf("seven", key)]).toEqual([of12, of7]);
});
