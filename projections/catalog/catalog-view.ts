// The catalog topic in memory: data sources and tokens by id. Fed from its beginning, with this instance's own
// acknowledged writes laid over it, so that a client reads what it has just written.

import type { DataSourceEntry, TokenEntry, Typed } from "../../schemas/events.ts";
import { holds } from "../filters/of-data-source.ts";
import type { DataSourcePredicate } from "../history/queries/records.ts";

type CatalogEvent = Typed<"DataSourceEntry" | "TokenEntry">;

interface CatalogRecord {
  /** Id of the entity. */
  readonly key: string;
  /** null = deleted. */
  readonly entry: CatalogEvent | null;
  readonly offset: number;
}

export interface CatalogView {
  dataSource(id: string): DataSourceEntry | undefined;
  /** In no particular order. */
  dataSources(): Iterable<DataSourceEntry>;
  token(id: string): TokenEntry | undefined;
  tokens(): Iterable<TokenEntry>;
  /** Called at once when a known token has changed or is gone. */
  onTokenChange(listener: () => void): void;
  /** Ids of the data sources of which the predicate holds. */
  dataSourceIds(predicate: DataSourcePredicate): string[];
  /** A record of the topic; any order, any number of times. */
  apply(record: CatalogRecord): void;
  /** A write of this instance that the log has acknowledged; the topic will bring it once more. */
  applyOwn(key: string, entry: CatalogEvent | null, offset: number): void;
}

export function createCatalogView(): CatalogView {
  const dataSources = new Map<string, DataSourceEntry>();
  const tokens = new Map<string, TokenEntry>();
  /** Offset of what is known of each key: an own write may stand further on than the topic has been read. */
  const offsets = new Map<string, number>();
  const listeners: (() => void)[] = [];

  function lay({ key, entry, offset }: CatalogRecord): void {
    if (offset < (offsets.get(key) ?? -1)) return;
    offsets.set(key, offset);
    const known = tokens.get(key);
    if (entry?.type === "DataSourceEntry") dataSources.set(key, entry.event);
    else dataSources.delete(key);
    if (entry?.type === "TokenEntry") tokens.set(key, entry.event);
    else tokens.delete(key);
    if (known !== undefined) for (const listener of listeners) listener();
  }

  return {
    dataSource: (id) => dataSources.get(id),
    dataSources: () => dataSources.values(),
    token: (id) => tokens.get(id),
    tokens: () => tokens.values(),
    onTokenChange: (listener) => {
      listeners.push(listener);
    },
    dataSourceIds(predicate) {
      const ids: string[] = [];
      for (const source of dataSources.values()) {
        if (holds(predicate, { ...source, dataSource: source })) ids.push(source.dataSourceId);
      }
      return ids;
    },
    apply: lay,
    applyOwn: (key, entry, offset) => lay({ key, entry, offset }),
  };
}
