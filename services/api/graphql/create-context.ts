import type { Catalog } from "../../../projections/catalog/catalog.ts";
import type { Heartbeats } from "../../../projections/catalog/heartbeats.ts";
import type { Locate } from "../../../projections/catalog/locate.ts";
import type { ZonesView } from "../../../projections/catalog/zones-view.ts";
import type { FilterLimits } from "../../../projections/filters/read-filter.ts";
import type { BinaryHistory } from "../../../projections/history/queries/records.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import type { Log } from "../../common/log.ts";
import { createLoopTurns } from "../../common/loop-turns.ts";
import type { MediaStore } from "../../common/media/store.ts";
import { createTurns } from "../../common/turns.ts";
import type { HistorySlots } from "../limits/token-limits.ts";
import type { Frames } from "../media/frames.ts";
import type { PositionGate, RecordTopic } from "../read/await-position.ts";
import { forOperation } from "../read/history-client.ts";
import { createLoaders } from "../read/loaders.ts";
import type { ZonesAtMoment } from "../read/past-zones.ts";
import type { Trials } from "../read/trials.ts";
import { createWalk } from "../read/walks.ts";
import type { System } from "../system/system.ts";
import type { EventWriter } from "../write/publish.ts";
import type { NoteTraffic } from "../write/traffic.ts";
import { createWrite } from "../write/write.ts";
import { createBudget } from "./budget.ts";
import type { ApiContext, Principal } from "./context.ts";

/** Number of summaries of one operation that may run at the same time. */
const SUMMARIES = 2;
const NEVER = new AbortController().signal;

export interface ContextDeps {
  readonly catalog: Catalog;
  readonly zones: ZonesView;
  readonly zonesAt: ZonesAtMoment;
  readonly locate: Locate;
  readonly heartbeats: Heartbeats;
  readonly noteTraffic: NoteTraffic;
  readonly history: BinaryHistory;
  readonly slots: HistorySlots;
  readonly trials: Trials;
  readonly system: System;
  readonly gate: PositionGate;
  readonly writer: EventWriter;
  readonly media: MediaStore;
  readonly frames: Frames;
  readonly log: Log;
  readonly maxFirst: number;
  readonly filterLimits: FilterLimits;
  readonly maxBuckets: number;
  readonly maxCost: number;
  readonly maxAnswerBytes: number;
  readonly maxZoneVertices: number;
}

/**
 * `signal` is called with the operation's first query to the history or first frame. The signal cancels only these
 * queries and frames.
 */
export type CreateContext = (
  principal: Principal,
  minPosition?: readonly LogPosition[],
  signal?: () => AbortSignal,
) => ApiContext;

/**
 * Each operation has a context of its own, so that a mutation's writes do not delay others. All messages of
 * subscriptions share one.
 */
export function createContextFactory({ gate, writer, slots, ...deps }: ContextDeps): CreateContext {
  const turns = createLoopTurns();
  // Loaders count no tests against a budget: messages of subscriptions share their loaders, which outlive the budget of
  // each message.
  const uncounted = createWalk(turns, { spend: () => {}, isOver: () => false });
  return (principal, minPosition = [], signal = undefined) => {
    const { tokenId } = principal;
    const rootField = () => context.rootField;
    const client = forOperation(deps.history.client, slots, { tokenId, signal, rootField });
    const history = { dataSourceIds: deps.history.dataSourceIds, client };
    const positions: LogPosition[] = [];
    const reached = createReached(gate, minPosition, positions);
    const zonesAt = (at: number) => deps.zonesAt(at, { tokenId, gone: signal?.() ?? NEVER });
    const budget = createBudget(deps.maxCost);
    // Each member is named, those that execution adds included. V8 makes such an object in one piece; it makes one with
    // copied or added members several times over, which was most of the garbage of a small mutation. Getters are
    // avoided, too.
    const context: ApiContext & Record<"operation" | "counted", undefined> = {
      catalog: deps.catalog,
      zones: deps.zones,
      locate: deps.locate,
      heartbeats: deps.heartbeats,
      noteTraffic: deps.noteTraffic,
      trials: deps.trials,
      system: deps.system,
      log: deps.log,
      media: deps.media,
      maxFirst: deps.maxFirst,
      filterLimits: deps.filterLimits,
      maxBuckets: deps.maxBuckets,
      maxCost: deps.maxCost,
      maxAnswerBytes: deps.maxAnswerBytes,
      maxZoneVertices: deps.maxZoneVertices,
      historyReached: reached.historyReached,
      intersectionsReached: reached.intersectionsReached,
      zonesReached: reached.zonesReached,
      catalogReached: reached.catalogReached,
      zonesAt,
      history,
      principal,
      positions,
      minPosition,
      frames: { take: (source, atMs) => deps.frames.take(source, atMs, signal?.()) },
      loaders: createLoaders(history, reached, uncounted),
      write: createWrite({ writer, catalog: deps.catalog }, positions),
      budget,
      walk: createWalk(turns, { spend: budget.spend, isOver: budget.isSpent }),
      summaries: createTurns(SUMMARIES),
      rootField: undefined,
      operation: undefined,
      counted: undefined,
    };
    return context;
  };
}

/** A mutation also waits for its own writes: its answer may select fields that the history answers. */
function createReached(gate: PositionGate, minPosition: readonly LogPosition[], positions: readonly LogPosition[]) {
  const reach = (wait: (min: readonly LogPosition[]) => Promise<void>) => {
    let waited: { readonly written: number; readonly done: Promise<void> } | undefined;
    return (): Promise<void> => {
      if (waited?.written !== positions.length) {
        waited = { written: positions.length, done: wait([...minPosition, ...positions]) };
      }
      return waited.done;
    };
  };
  const ofTopics = new Map<RecordTopic, () => Promise<void>>();
  function historyReached(topic: RecordTopic = "camera-log"): Promise<void> {
    const reached = ofTopics.get(topic) ?? reach((min) => gate.history(min, topic));
    ofTopics.set(topic, reached);
    return reached();
  }
  return {
    historyReached,
    intersectionsReached: reach(gate.intersections),
    zonesReached: reach(gate.zones),
    catalogReached: reach(gate.catalog),
  };
}
