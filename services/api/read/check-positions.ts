// Checks that a client's position can be in the log: a client must not wait for a position that was never written.

import { badInput } from "../../../schemas/errors.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import { topicsWrittenByApi, type WrittenByApi } from "../../../schemas/topics.ts";
import type { EndOffsets } from "../../common/kafka/read/partition-ends.ts";
import { shareCalls } from "../../common/share-calls.ts";
import { POSITION_HEADER } from "./position.ts";

/**
 * Throws BAD_USER_INPUT for an unknown partition or an offset beyond the end. If no broker reports the end, all pass.
 */
export type CheckPositions = (positions: readonly LogPosition[]) => Promise<void>;

/** `ask` reads the ends from the broker. */
export function createPositionCheck(ask: (topic: WrittenByApi) => Promise<EndOffsets>): CheckPositions {
  const checks = topicsWrittenByApi.map((topic) => ({ topic, check: createTopicCheck(() => ask(topic)) }));
  return async (positions) => {
    for (const { topic, check } of checks) {
      const own = positions.filter((position) => position.topic === topic);
      const wrong = await check(own);
      if (wrong === undefined) continue;
      const { partition, offset } = wrong;
      throw badInput(`${topic}:${partition}:${offset} is not in the log`, [POSITION_HEADER]);
    }
  };
}

function createTopicCheck(ask: () => Promise<EndOffsets>) {
  let ends: EndOffsets = new Map();
  const refresh = shareCalls(async () => {
    ends = await ask();
  });
  const isKnown = ({ partition, offset }: LogPosition) => offset < (ends.get(partition) ?? 0);
  const isLeaderless = ({ partition }: LogPosition) => ends.has(partition) && ends.get(partition) === undefined;

  return async (positions: readonly LogPosition[]): Promise<LogPosition | undefined> => {
    if (positions.every(isKnown)) return undefined;
    try {
      // Another instance may have written the position a moment ago, so the end is read again before a position is
      // refused.
      await refresh();
    } catch {
      // While the broker is unavailable the end is unknown, so the request waits for the position as for any other.
      return undefined;
    }
    return positions.find((position) => !isKnown(position) && !isLeaderless(position));
  };
}
