// Positions in the log in the form that clients carry: `<topic>:<partition>:<offset>`, several joined by commas. A
// mutation answers with the positions of its events (`extensions.position`); a query that sends them back sees those
// writes.
import { badInput } from "../../../schemas/errors.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import { topicsWrittenByApi } from "../../../schemas/topics.ts";

export const POSITION_HEADER = "x-min-position";

const ENTRY = new RegExp(`^(${topicsWrittenByApi.join("|")}):(\\d{1,6}):(\\d{1,15})$`);
const MAX_ENTRIES = 1_000;

/**
 * Returns the newest position of each partition, in a stable order.
 * @returns undefined when there is no position.
 */
export function formatPosition(positions: readonly LogPosition[]): string | undefined {
  const [only] = positions;
  if (only === undefined) return undefined;
  // Most mutations write one event.
  return positions.length === 1 ? textOf(only) : newest(positions).map(textOf).join(",");
}

const textOf = ({ topic, partition, offset }: LogPosition): string => `${topic}:${partition}:${offset}`;

/** Throws BAD_USER_INPUT with the header's name as path. */
export function parsePositions(text: string): readonly LogPosition[] {
  const entries = text.split(",");
  if (entries.length > MAX_ENTRIES) throw malformed();
  return newest(
    entries.map((entry) => {
      const [, name, partition, offset] = ENTRY.exec(entry.trim()) ?? [];
      const topic = topicsWrittenByApi.find((each) => each === name);
      if (topic === undefined) throw malformed();
      return { topic, partition: Number(partition), offset: Number(offset) };
    }),
  );
}

const malformed = () =>
  badInput("a position is written camera-log:<partition>:<offset>, several are joined by commas", [POSITION_HEADER]);

function newest(positions: readonly LogPosition[]): LogPosition[] {
  const byPartition = new Map<string, LogPosition>();
  for (const position of positions) {
    const key = `${position.topic}:${position.partition}`;
    const known = byPartition.get(key);
    if (known === undefined || known.offset < position.offset) byPartition.set(key, position);
  }
  return [...byPartition.values()].sort((a, b) => a.topic.localeCompare(b.topic) || a.partition - b.partition);
}
