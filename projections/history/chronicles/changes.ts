// Folds a part of the log into partial rows of a table of chronicles. Every member is a maximum, or a map of maxima by
// key, so parts may overlap, repeat and arrive in any order: folding here and folding in ClickHouse are the same
// operation.
import type { AnyChanged } from "../../../schemas/catalog/changed.ts";
import type { ActivityMediaAdded } from "../../../schemas/chronicles/activity.ts";
import { type AnyChronicleDescription, chronicleFieldsOf } from "../../chronicles/define-chronicle.ts";
import { createdRank, updatedRank } from "../../rank.ts";
import type { RecordedAt } from "../table.ts";
import { absentValuesOf, entryKeyOf, storedValuesOf } from "./columns.ts";

type Ranked = readonly [rank: number, ...value: unknown[]];
type Place = readonly [rank: number, place: number];

/** The changes of one chronicle. */
export interface ChronicleChange {
  readonly id: string;
  created: Ranked;
  deleted: boolean;
  /** Time of the latest update; 0 when there is none. */
  updatedAt: number;
  lastOffset: number;
  /** The values that events set, by field, each with the rank of its event. */
  readonly set: Map<string, Ranked>;
  /**
   * For each field to which entries are added: the rank and place at which an entry was last added, by the entry's key.
   */
  readonly added: Map<string, Map<string, Place>>;
}

export interface ChronicleChanges {
  changed(event: AnyChanged, recorded: RecordedAt): void;
  mediaAdded(event: ActivityMediaAdded, recorded: RecordedAt): void;
  /** @returns one change per chronicle. */
  changes(): ChronicleChange[];
}

const NOT_CREATED: Ranked = [0, 0];

export function createChronicleChanges(description: AnyChronicleDescription): ChronicleChanges {
  const fields = chronicleFieldsOf(description);
  const byName = new Map(fields);
  const byId = new Map<string, ChronicleChange>();

  function touch(id: string, { offset }: RecordedAt): ChronicleChange {
    const change = byId.get(id) ?? untouched(id);
    byId.set(id, change);
    change.lastOffset = Math.max(change.lastOffset, offset);
    return change;
  }

  function setField(change: ChronicleChange, name: string, rank: number, value: unknown): void {
    const field = byName.get(name);
    const known = change.set.get(name);
    if (field === undefined || (known !== undefined && known[0] >= rank)) return;
    change.set.set(name, [rank, ...storedValuesOf(field, value)]);
  }

  function add(change: ChronicleChange, name: string, rank: number, entries: readonly unknown[]): void {
    const field = byName.get(name);
    if (field === undefined) return;
    const added = change.added.get(name) ?? new Map<string, Place>();
    change.added.set(name, added);
    for (const [place, entry] of entries.entries()) {
      const key = entryKeyOf(field, entry);
      if ((added.get(key)?.[0] ?? 0) <= rank) added.set(key, [rank, place]);
    }
  }

  return {
    changed(event, recorded) {
      const change = touch(event.id, recorded);
      if (event.change === "deleted") {
        change.deleted = true;
        return;
      }
      const isCreation = event.change === "created";
      const rank = isCreation ? createdRank(recorded.offset) : updatedRank(recorded.offset);
      if (!isCreation) change.updatedAt = Math.max(change.updatedAt, event.at);
      else if (rank > change.created[0]) change.created = [rank, event.at];
      for (const [name] of fields) {
        const value: unknown = Reflect.get(event.set, name);
        // A creation sets every field, so that a missing value is null.
        if (value !== null || isCreation || event.cleared.includes(name)) setField(change, name, rank, value);
      }
    },

    mediaAdded(event, recorded) {
      const change = touch(event.id, recorded);
      change.updatedAt = Math.max(change.updatedAt, event.at);
      const rank = updatedRank(recorded.offset);
      add(change, "imageIds", rank, event.imageIds);
      add(change, "clips", rank, event.clips);
    },

    changes: () => [...byId.values()],
  };
}

const untouched = (id: string): ChronicleChange => ({
  id,
  created: NOT_CREATED,
  deleted: false,
  updatedAt: 0,
  lastOffset: 0,
  set: new Map(),
  added: new Map(),
});

/** Returns the value of a field's column. */
export const setOf = ({ set }: ChronicleChange, name: string, field: Parameters<typeof absentValuesOf>[0]): Ranked =>
  set.get(name) ?? [0, ...absentValuesOf(field)];

export const addedOf = ({ added }: ChronicleChange, name: string): Readonly<Record<string, Place>> =>
  Object.fromEntries(added.get(name) ?? []);
