// The fields of a chronicle that a query needs, the same for all kinds and servers.
export interface ChronicleRecord {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly start: number;
  /** Milliseconds since the epoch. Null while the chronicle is open. For an event it is the start. */
  readonly end: number | null;
  readonly labels: readonly string[];
  readonly status: string | null;
  readonly priority: string | null;
  readonly producerId: string | null;
  /** Ids of the sites. Empty for an event. */
  readonly siteIds: readonly string[];
  readonly dataSourceIds: readonly string[];
}

/** The order of all answers. */
export const byStart = (a: ChronicleRecord, b: ChronicleRecord): number =>
  a.start - b.start || (a.id < b.id ? -1 : Number(a.id > b.id));
