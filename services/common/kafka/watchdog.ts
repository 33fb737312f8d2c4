// Asks the broker from time to time, to notice trouble with a group's partitions that kafkajs does not report.
import type { Admin } from "kafkajs";
import type { Log } from "../log.ts";
import type { Inboxes, PartitionId } from "./inboxes.ts";
import { ledInAll, ledRanges } from "./offsets.ts";

export interface WatchdogOptions {
  readonly admin: Admin;
  readonly topics: readonly string[];
  /** Topics whose partitions must be led, too, before one that waits for a leader can begin. */
  readonly companions: readonly string[];
  /** Partitions that wait for a leader. */
  readonly postponed: ReadonlyMap<string, PartitionId>;
  readonly groupId: string;
  readonly inboxes: Pick<Inboxes, "reached" | "starving">;
  readonly log: Log;
  /** The consumer must begin anew. */
  readonly onTrouble: () => void;
}

const WATCHDOG_MS = 5_000;

/**
 * kafkajs can silently leave a partition unread after a broker was lost: lag grows and nothing is fetched. When the log
 * is shorter than what was read from it, kafkajs silently goes back to its beginning; the owner begins anew instead.
 */
export function createWatchdog(options: WatchdogOptions) {
  const { admin, topics, groupId, inboxes, log, onTrouble } = options;
  let timer: NodeJS.Timeout | undefined;
  let stalled = new Map<string, number>();
  let watching = false;

  async function watch(): Promise<void> {
    const behind = new Map<string, number>();
    const beyond: string[] = [];
    // Taken before the question: a message read after it may lie beyond the answer.
    const reached = inboxes.reached();
    try {
      for (const topic of topics) {
        for (const { partition, high } of await ledRanges(admin, topic)) {
          const key = `${topic}/${partition}`;
          const waitsAt = inboxes.starving({ topic, partition });
          if (waitsAt !== undefined && waitsAt < high) behind.set(key, waitsAt);
          if ((reached.get(key) ?? 0) > high) beyond.push(key);
        }
      }
      if (await hasLeaderAgain(options)) {
        log.info({ groupId }, "a partition has a leader again");
        onTrouble();
        return;
      }
    } catch (error) {
      log.debug({ err: error }, "watchdog cannot ask the broker");
      return;
    }
    const stuck = [...behind].filter(([key, offset]) => stalled.get(key) === offset);
    stalled = behind;
    if (stuck.length + beyond.length === 0) return;
    if (beyond.length > 0) log.error({ groupId, partitions: beyond }, "the log ends before the position that was read");
    if (stuck.length > 0) log.warn({ groupId, partitions: stuck.map(([key]) => key) }, "partitions stay unread");
    stalled = new Map();
    onTrouble();
  }

  /** One look at a time: once a broker is back, two answers at once would look like a partition that stays unread. */
  async function look(): Promise<void> {
    if (watching) return;
    watching = true;
    try {
      await watch();
    } finally {
      watching = false;
    }
  }

  return {
    start(): void {
      timer = setInterval(() => void look(), WATCHDOG_MS);
    },
    stop: (): void => clearInterval(timer),
  };
}

async function hasLeaderAgain({ admin, companions, postponed }: WatchdogOptions): Promise<boolean> {
  for (const { topic, partition } of postponed.values()) {
    if ((await ledInAll(admin, [topic, ...companions])).has(partition)) return true;
  }
  return false;
}
