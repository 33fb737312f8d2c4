// Looks up chronicles when the feed has read only a change of them.
import type { ChronicleRef, RememberedChronicle } from "../../../projections/feed/chronicle-memory.ts";
import { chronicleQueries } from "../../../projections/history/chronicles/pages.ts";
import type { History } from "../../../projections/history/queries/records.ts";
import type { ChronicleKind } from "../../../schemas/chronicles/kinds.ts";
import type { LogPosition } from "../../../schemas/log-position.ts";
import type { PositionGate } from "../read/await-position.ts";

/**
 * Waits until the history has reached `before`, then reads the wanted chronicles. They may be newer than `before`. The
 * resolved function finds one of them by its kind and id.
 */
export type FindChronicles = (
  wanted: readonly ChronicleRef[],
  before: readonly LogPosition[],
) => Promise<(ref: ChronicleRef) => RememberedChronicle | undefined>;

export function createFindChronicles(gate: PositionGate, { client }: History): FindChronicles {
  return async (wanted, before) => {
    await gate.history(before, "chronicles");
    const kinds = [...new Set(wanted.map(({ kind }) => kind))];
    const found = new Map<ChronicleKind, ReadonlyMap<string, RememberedChronicle>>();
    for (const kind of kinds) {
      const ids = wanted.flatMap((each) => (each.kind === kind ? [each.id] : []));
      const records: readonly RememberedChronicle[] = await chronicleQueries[kind].byIds(client, ids);
      found.set(kind, new Map(records.map((each) => [each.id, each])));
    }
    return ({ kind, id }) => found.get(kind)?.get(id);
  };
}
