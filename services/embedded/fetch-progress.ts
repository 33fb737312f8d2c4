// How far a download has come, from what Maven prints: a line each few seconds, instead of one for each of its 150 files.

export interface FetchProgress {
  /** A line of Maven's. Returns what to show now, if anything; `nowMs`: of any clock. */
  line(text: string, nowMs: number): string | undefined;
  /** All of it so far. */
  total(): string;
}

const EVERY_MS = 5_000;
const DOWNLOADED = /Downloaded from \S+ (\S+\.(?:jar|gz)) \(([\d.]+) ([kMG]?)B /;
const UNITS: Readonly<Record<string, number>> = { "": 1e-6, k: 1e-3, M: 1, G: 1e3 };

export function createFetchProgress(title: string, startMs: number): FetchProgress {
  let files = 0;
  let megabytes = 0;
  let shownAt = startMs;
  const total = () => `${files} ${files === 1 ? "file" : "files"}, ${Math.round(megabytes)} MB`;
  return {
    line(text, nowMs) {
      const [, , size, unit = ""] = DOWNLOADED.exec(text) ?? [];
      if (size === undefined) return undefined;
      files += 1;
      megabytes += Number(size) * (UNITS[unit] ?? 0);
      if (nowMs - shownAt < EVERY_MS) return undefined;
      shownAt = nowMs;
      return `fetching ${title}: ${total()} so far`;
    },
    total,
  };
}
