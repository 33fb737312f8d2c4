// Finds the active subscriptions that want signals of a data source. Most detections concern none of them, so a look-up
// allocates nothing.
import type { SignalType } from "../../../schemas/records/subscription.ts";
import type { Subscription } from "./subscriptions.ts";

export interface BySource {
  replace(before: Subscription | undefined, after: Subscription | undefined): void;
  /** The subscriptions, sorted by id. The list never changes: its reader may keep it while subscriptions change. */
  matching(signalType: SignalType, dataSourceId: string): readonly Subscription[];
}

type ById = Map<string, Subscription>;

/** The subscriptions to one type of signals. */
interface Wanting {
  /** The subscriptions without a filter of data sources. */
  readonly all: ById;
  readonly ofSource: Map<string, ById>;
  /** The lists that were read since the last change. Only data sources that a filter names have one. */
  readonly lists: Map<string, readonly Subscription[]>;
  listOfAll: readonly Subscription[] | undefined;
}

const NONE: readonly Subscription[] = [];

export function createBySource(): BySource {
  const wanting = new Map<SignalType, Wanting>();

  function change(subscription: Subscription | undefined, edit: (ids: ById, changed: Subscription) => unknown): void {
    if (subscription === undefined || subscription.stopped !== undefined) return;
    const { signalType, filters } = subscription;
    const wants = wanting.get(signalType) ?? { all: new Map(), ofSource: new Map(), lists: new Map(), listOfAll: NONE };
    if (filters.dataSourceIds.length === 0) edit(wants.all, subscription);
    for (const id of filters.dataSourceIds) {
      const ids = wants.ofSource.get(id) ?? new Map();
      edit(ids, subscription);
      if (ids.size === 0) wants.ofSource.delete(id);
      else wants.ofSource.set(id, ids);
    }
    wants.lists.clear();
    wants.listOfAll = undefined;
    if (wants.all.size === 0 && wants.ofSource.size === 0) wanting.delete(signalType);
    else wanting.set(signalType, wants);
  }

  return {
    replace(before, after) {
      change(before, (ids, { key }) => ids.delete(key));
      change(after, (ids, changed) => ids.set(changed.key, changed));
    },
    matching(signalType, dataSourceId) {
      const wants = wanting.get(signalType);
      if (wants === undefined) return NONE;
      const own = wants.ofSource.get(dataSourceId);
      if (own === undefined) {
        wants.listOfAll ??= sorted(wants.all.values());
        return wants.listOfAll;
      }
      const list = wants.lists.get(dataSourceId) ?? sorted([...wants.all.values(), ...own.values()]);
      wants.lists.set(dataSourceId, list);
      return list;
    },
  };
}

const sorted = (subscriptions: Iterable<Subscription>): readonly Subscription[] =>
  [...subscriptions].sort((a, b) => (a.key < b.key ? -1 : 1));
