// What a chronicle query knows of a chronicle, whichever kind and server it is from.
export interface ChronicleRecord {
  readonly id: string;
  /** ms since the epoch. */
  readonly start: number;
  /** ms since the epoch; null while it is open. That of an event is its start. */
  readonly end: number | null;
  readonly labels: readonly string[];
  readonly status: string | null;
  readonly priority: string | null;
  readonly producerId: string | null;
  /** Those of an event are empty. */
  readonly siteIds: readonly string[];
  readonly dataSourceIds: readonly string[];
}

/** The order of all answers. */
export const byStart = (a: ChronicleRecord, b: ChronicleRecord): number =>
  a.start - b.start || (a.id < b.id ? -1 : Number(a.id > b.id));
