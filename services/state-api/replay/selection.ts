// The selection of a new session. It is checked against the log, so that a caller learns at once what there is.
import type { Catalog } from "../../../projections/catalog/catalog.ts";
import { projectedPositions } from "../../../projections/history/queries/positions.ts";
import { seenHours, spanExtent } from "../../../projections/history/queries/replay-stretches.ts";
import type { QueryClient } from "../../../projections/history/queries/run.ts";
import type { OffsetSpan, ReplaySelection } from "../../../projections/replay/selection.ts";
import { isoTime } from "../../../schemas/identity.ts";
import type { ReplayBody } from "../../../schemas/rest/replay.ts";
import type { OffsetRange } from "../../common/kafka/offsets.ts";
import type { RunCaller } from "../../recorded/bounded-runs.ts";
import { Problem } from "../http/problem.ts";
import type { AskHistory } from "./asking.ts";

export interface SelectionDeps {
  readonly catalog: Catalog;
  readonly askHistory: AskHistory;
  /** Resolves with the present ranges of the camera-log, in order of the partitions. */
  readonly ranges: () => Promise<readonly OffsetRange[]>;
  /** The camera-log's name on the broker. */
  readonly topic: string;
}

/** Data sources of the sites of one session. */
const MOST_SOURCES = 1_000;

export async function selectionOf(body: ReplayBody, caller: RunCaller, deps: SelectionDeps): Promise<ReplaySelection> {
  const { track_ids: trackIds, range, offsets } = body;
  if (offsets != null) {
    await checkSpans(offsets, caller, deps);
    return { kind: "offsets", spans: offsets };
  }
  if (range != null) return rangeOf(range, caller, deps);
  return { kind: "tracks", trackIds: trackIds ?? [] };
}

type RangeBody = NonNullable<ReplayBody["range"]>;

async function rangeOf(range: RangeBody, caller: RunCaller, deps: SelectionDeps): Promise<ReplaySelection> {
  const { data_source_ids: given, site_ids: siteIds, from, to } = range;
  const dataSourceIds = given == null ? sourcesAt(siteIds ?? [], deps) : [...new Set(given)];
  if (from >= to) {
    const seen = await deps.askHistory(caller, (history) => seenText(dataSourceIds, history));
    throw refused("range", `\`from\` must be before \`to\`; ${seen}`);
  }
  return { kind: "range", dataSourceIds, from, to, ...(siteIds == null ? {} : { siteIds: [...new Set(siteIds)] }) };
}

function sourcesAt(siteIds: readonly string[], { catalog }: SelectionDeps): string[] {
  const devices = siteIds.flatMap((siteId) => catalog.referring("device", "siteId", siteId));
  const found = [...new Set(devices.map(({ dataSourceId }) => dataSourceId))];
  if (found.length === 0) throw refused("range/site_ids", "no device at these sites has a data source");
  if (found.length <= MOST_SOURCES) return found;
  throw refused(
    "range/site_ids",
    `these sites have ${found.length} data sources, at most ${MOST_SOURCES} are possible`,
  );
}

async function seenText(dataSourceIds: readonly string[], history: QueryClient): Promise<string> {
  const seen = await seenHours(history, dataSourceIds);
  if (seen === undefined) return "no detections of these data sources are known";
  return `detections are known between ${isoTime(seen.from)} and ${isoTime(seen.to)}`;
}

async function checkSpans(spans: readonly OffsetSpan[], caller: RunCaller, deps: SelectionDeps): Promise<void> {
  const ranges = await deps.ranges();
  const lost: LostSpan[] = [];
  for (const [at, span] of spans.entries()) {
    const range = ranges.find(({ partition }) => partition === span.partition);
    const flaw = range === undefined ? `the log has the partitions 0 to ${ranges.length - 1}` : flawOf(span, range);
    if (flaw !== undefined) throw refused(`offsets/${at}`, flaw);
    if (range !== undefined && span.from < range.low) lost.push({ at, span, range });
  }
  const absent = lost.length === 0 ? undefined : await firstAbsent(lost, caller, deps);
  if (absent === undefined) return;
  const reason = `the log no longer has offset ${absent.span.from}, and the history has no detection of these offsets`;
  throw refused(`offsets/${absent.at}`, `${reason}; ${presentText(absent.range)}`);
}

/** A span of which the log no longer has the beginning. */
interface LostSpan {
  /** Index in the request. */
  readonly at: number;
  readonly span: OffsetSpan;
  readonly range: OffsetRange;
}

/** Resolves with the first span that the history does not have either. All of them count as one question. */
function firstAbsent(
  lost: readonly LostSpan[],
  caller: RunCaller,
  { askHistory, topic }: SelectionDeps,
): Promise<LostSpan | undefined> {
  return askHistory(caller, async (history) => {
    const positions = await projectedPositions(history, topic);
    for (const each of lost) {
      const { partition, from, to } = each.span;
      const base = positions.get(partition)?.rankBase ?? 0;
      const extent = await spanExtent(history, { partition, from: from + base, to: to + base });
      if (extent === undefined) return each;
    }
    return undefined;
  });
}

function flawOf({ from, to }: OffsetSpan, range: OffsetRange): string | undefined {
  if (from >= to) return `\`from\` must be below \`to\`; ${presentText(range)}`;
  if (to > range.high) return `the log ends before \`to\`; ${presentText(range)}`;
  return undefined;
}

const presentText = ({ partition, low, high }: OffsetRange): string =>
  low === high
    ? `partition ${partition} has no messages, its next offset is ${high}`
    : `partition ${partition} has the offsets ${low} to ${high} (exclusive)`;

const refused = (pointer: string, detail: string) =>
  new Problem("validation", `#/${pointer}: ${detail}`, { errors: [{ pointer: `#/${pointer}`, detail }] });
