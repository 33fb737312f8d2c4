// The segments of spans of offsets. The log has the broker times of its own messages; the history has those of messages
// that the log no longer has.
import { type ProjectedPosition, projectedPositions } from "../../projections/history/queries/positions.ts";
import { type RecordedExtent, sourcesIn, spanExtent } from "../../projections/history/queries/replay-stretches.ts";
import { earliestBeside } from "../../projections/history/queries/replays.ts";
import { type Stretched, withoutOverlaps } from "../../projections/replay/overlaps.ts";
import type { OffsetSpan } from "../../projections/replay/selection.ts";
import type { Segment } from "../../projections/replay/session.ts";
import { type OffsetRange, offsetRanges } from "../common/kafka/offsets.ts";
import { SessionFailed } from "./failed.ts";
import { awaitHistory, type PlanDeps, timeAt } from "./plan-deps.ts";
import { offsetAt } from "./segments-by-time.ts";

/** Data sources of one span, whose ids the plan lists. */
const MOST_SOURCES = 10_000;
/** Data sources of all segments together. Redis has the plan, and every process that claims the session reads it. */
const MOST_SOURCES_OF_PLAN = 50_000;

export async function planOffsets(spans: readonly OffsetSpan[], deps: PlanDeps): Promise<Segment[]> {
  const ranges = await offsetRanges(deps.admin, deps.topic);
  const asked = [...Map.groupBy(spans, ({ partition }) => partition)].map(([partition, own]) => ({
    own,
    range: rangeOf(partition, ranges),
  }));
  await awaitHistory(
    asked.map(({ range }) => range),
    deps,
  );
  const positions = await projectedPositions(deps.history, deps.topic);
  const segments: Segment[] = [];
  for (const { range, own } of asked) {
    const base = positions.get(range.partition)?.rankBase ?? 0;
    const stretches: Stretched[] = [];
    for (const span of own) {
      const stretch = await stretchOf(span, { range, base, deps });
      if (stretch !== undefined) stretches.push(stretch);
    }
    for (const merged of withoutOverlaps(stretches, deps.trackTtlMs)) {
      segments.push(await segmentOf(merged, range, deps));
    }
    checkSources(segments);
  }
  return segments;
}

/** Throws SessionFailed when the plan would be too long. */
export function checkSources(segments: readonly Pick<Segment, "dataSourceIds">[]): void {
  const count = segments.reduce((sum, { dataSourceIds }) => sum + dataSourceIds.length, 0);
  if (count <= MOST_SOURCES_OF_PLAN) return;
  throw new SessionFailed(
    `the stretches of these offsets have more than ${MOST_SOURCES_OF_PLAN} data sources in all: name fewer offsets`,
  );
}

function rangeOf(partition: number, ranges: readonly OffsetRange[]): OffsetRange {
  const found = ranges.find((range) => range.partition === partition);
  if (found !== undefined) return found;
  throw new SessionFailed(`the log has no partition ${partition}: it has ${ranges.length}, from 0 on`);
}

interface Kept {
  readonly range: OffsetRange;
  /** The history adds it to the offsets of the log. */
  readonly base: ProjectedPosition["rankBase"];
  readonly deps: PlanDeps;
}

/** @returns undefined when the span has no data source with a detection, so that nothing can be raised. */
async function stretchOf(span: OffsetSpan, kept: Kept): Promise<Stretched | undefined> {
  const { range, base, deps } = kept;
  const { partition, high, low } = range;
  if (span.to > high) throw new SessionFailed(`partition ${partition} ends at offset ${high}, before ${span.to}`);
  const isKept = span.from >= low;
  const extent = isKept ? await extentInLog(span, deps) : await extentInHistory(span, kept);
  const { recordedFrom: at, recordedTo: lastAt, eventFrom, eventTo } = extent;
  const since = at - deps.warmUpMs;
  const ranked = { partition, from: base, to: span.to + base };
  const dataSourceIds = await sourcesIn(deps.history, { ...ranked, since, until: lastAt }, MOST_SOURCES + 1);
  if (dataSourceIds.length > MOST_SOURCES) {
    throw new SessionFailed(`the offsets have more than ${MOST_SOURCES} data sources: name a shorter range`);
  }
  if (dataSourceIds.length === 0) return undefined;
  const beside = await earliestBeside(deps.history, { dataSourceIds, since, at, until: at + deps.trackTtlMs });
  const shift = isKept ? 0 : base;
  return {
    asked: { kind: "offsets", spans: [{ from: span.from + shift, to: span.to + shift }] },
    dataSourceIds,
    log: isKept ? "topic" : "history",
    beginAt: Math.min(at, beside),
    lastAt,
    recorded: [{ from: at, to: lastAt }],
    eventFrom,
    eventTo,
  };
}

/** The event times are not needed, because the segment is read from the log. */
export async function extentInLog(
  { partition, from, to }: OffsetSpan,
  deps: Pick<PlanDeps, "fetcher" | "topic">,
): Promise<RecordedExtent> {
  const recordedFrom = await timeAt(partition, from, deps);
  const recordedTo = await timeAt(partition, to - 1, deps);
  if (recordedFrom === undefined) throw new SessionFailed(`the log has no message from offset ${from} on`);
  // At the end of the log the last offsets may be those of transaction markers, which are no messages.
  return { recordedFrom, recordedTo: recordedTo ?? Date.now(), eventFrom: 0, eventTo: 0 };
}

async function extentInHistory({ partition, from, to }: OffsetSpan, { range, base, deps }: Kept) {
  const extent = await spanExtent(deps.history, { partition, from: from + base, to: to + base });
  if (extent !== undefined) return extent;
  throw new SessionFailed(
    `the log no longer has offset ${from} of partition ${partition}, and the history has no detection of these ` +
      `offsets: the first offset that is left is ${range.low}`,
  );
}

async function segmentOf(stretch: Stretched, range: OffsetRange, deps: PlanDeps): Promise<Segment> {
  const { partition, high } = range;
  if (stretch.log === "history" || stretch.asked.kind !== "offsets") {
    return { ...stretch, partition, begin: 0, end: high };
  }
  const { spans } = stretch.asked;
  const begin = Math.min(spans[0]?.from ?? high, await offsetAt(stretch.beginAt, range, deps));
  return { ...stretch, partition, begin, end: spans.at(-1)?.to ?? high };
}
