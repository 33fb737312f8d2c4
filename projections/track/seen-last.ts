// Decides which of several tracks with one id the id alone means: the one whose newest detection is the latest by event
// time. At the same instant it is the track of the data source with the smaller id. A track without a detection comes
// last.

export interface Sighting {
  readonly dataSourceId: string;
  /** Event time of the newest detection, ms. NaN or null when the track has none. */
  readonly lastSeen: number | null;
}

/** @returns true when the id means `one` rather than `other`. */
export function isSeenLater(one: Sighting, other: Sighting): boolean {
  const [at, otherAt] = [instantOf(one), instantOf(other)];
  return at === otherAt ? compareIds(one.dataSourceId, other.dataSourceId) < 0 : at > otherAt;
}

/** @returns undefined when there are no tracks. */
export function seenLast<T>(tracks: Iterable<T>, sightingOf: (track: T) => Sighting): T | undefined {
  let last: T | undefined;
  for (const track of tracks) {
    if (last === undefined || isSeenLater(sightingOf(track), sightingOf(last))) last = track;
  }
  return last;
}

/** The same order in SQL. `lastSeen` is an expression that is NULL without a detection. */
export const seenLastFirst = (lastSeen: string): string => `${lastSeen} DESC NULLS LAST, data_source_id`;

const instantOf = ({ lastSeen }: Sighting): number =>
  lastSeen === null || Number.isNaN(lastSeen) ? Number.NEGATIVE_INFINITY : lastSeen;

/** Compares the ids as ClickHouse compares their bytes: UTF-8 has the order of the code points. */
function compareIds(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [one, other] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (one !== other) return rankOf(one) - rankOf(other);
  }
  return a.length - b.length;
}

/** UTF-16 has the code points above U+FFFF as surrogates, whose values are below U+E000. */
const rankOf = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);
