// Asks the broker from time to time, to notice trouble with a group's partitions that kafkajs does not report.
import type { Admin } from "kafkajs";
import type { Log } from "../../log.ts";
import { ledEnds } from "../internals/admin-offsets.ts";
import { ledInAll, whileRetriable } from "../offsets.ts";
import type { Inboxes, PartitionId } from "./inboxes.ts";

export interface WatchdogOptions {
  readonly admin: Admin;
  readonly topics: readonly string[];
  /** Topics whose partitions must have leaders, too, before a postponed partition can begin. */
  readonly companions: readonly string[];
  /** Partitions that wait for a leader. */
  readonly postponed: ReadonlyMap<string, PartitionId>;
  readonly groupId: string;
  readonly inboxes: Pick<Inboxes, "reached" | "starving">;
  readonly log: Log;
  /** Called when the consumer must start again. */
  readonly onTrouble: () => void;
}

const WATCHDOG_MS = 5_000;
/** Maximum number of successive checks that wait for further leaders. */
const MAX_WAITS = 2;

/**
 * kafkajs can silently leave a partition unread after a broker was lost: lag grows and nothing is fetched. When the log
 * is shorter than the part already read, kafkajs silently returns to its beginning; the owner begins again instead.
 */
export function createWatchdog(options: WatchdogOptions) {
  const { groupId, log, onTrouble } = options;
  let timer: NodeJS.Timeout | undefined;
  let stalled: ReadonlyMap<string, number> = new Map();
  let watching = false;
  const isTimeFor = createReturns();

  async function watch(): Promise<void> {
    let seen: SeenPositions;
    try {
      seen = await comparePositions(options);
      const returned = await ledAgain(options);
      if (isTimeFor(returned, options.postponed.size)) {
        log.info({ groupId, partitions: returned }, "partitions have leaders again");
        onTrouble();
        return;
      }
    } catch (error) {
      log.debug({ err: error }, "watchdog cannot ask the broker");
      return;
    }
    const { behind, beyond } = seen;
    const stuck = [...behind].filter(([key, offset]) => stalled.get(key) === offset);
    stalled = behind;
    if (stuck.length + beyond.length === 0) return;
    if (beyond.length > 0) log.error({ groupId, partitions: beyond }, "the log ends before the position that was read");
    if (stuck.length > 0) log.warn({ groupId, partitions: stuck.map(([key]) => key) }, "partitions stay unread");
    stalled = new Map();
    onTrouble();
  }

  /**
   * Only one check runs at a time: once a broker is back, two answers at once would look like a partition that stays
   * unread.
   */
  async function watchOnce(): Promise<void> {
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
      timer = setInterval(() => void watchOnce(), WATCHDOG_MS);
    },
    stop: (): void => clearInterval(timer),
  };
}

/** Partitions whose position is not the end of the log. */
interface SeenPositions {
  /** Positions of the partitions that wait for messages, although the log has more. */
  readonly behind: ReadonlyMap<string, number>;
  /** Partitions that were read beyond the end of the log. */
  readonly beyond: readonly string[];
}

async function comparePositions({ admin, topics, inboxes }: WatchdogOptions): Promise<SeenPositions> {
  const behind = new Map<string, number>();
  const beyond: string[] = [];
  // The positions are read before the broker is asked, because a message that was read later could be beyond the
  // broker's answer.
  const reached = inboxes.reached();
  for (const { topic, partition, high } of await whileRetriable(() => ledEnds(admin, topics))) {
    const key = `${topic}/${partition}`;
    const waitsAt = inboxes.starving({ topic, partition });
    if (waitsAt !== undefined && waitsAt < high) behind.set(key, waitsAt);
    if ((reached.get(key) ?? 0) > high) beyond.push(key);
  }
  return { behind, beyond };
}

/** Counts the partitions that waited for a leader and have one. */
async function ledAgain({ admin, companions, postponed }: WatchdogOptions): Promise<number> {
  const waiting = [...postponed.values()];
  let found = 0;
  for (const topic of new Set(waiting.map((id) => id.topic))) {
    const led = await ledInAll(admin, [topic, ...companions]);
    found += waiting.filter((id) => id.topic === topic && led.has(id.partition)).length;
  }
  return found;
}

/**
 * A new assignment stops all partitions for a moment. Leaders that come back one after the other, as brokers start,
 * cost one assignment: the watchdog waits while more of them come, but not for those that stay unavailable.
 */
export function createReturns() {
  let before = 0;
  let waits = 0;
  return (returned: number, waiting: number): boolean => {
    const isTime = returned > 0 && (returned >= waiting || returned === before || waits >= MAX_WAITS);
    waits = isTime || returned === 0 ? 0 : waits + 1;
    before = isTime ? 0 : returned;
    return isTime;
  };
}
