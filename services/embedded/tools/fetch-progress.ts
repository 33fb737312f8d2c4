// Progress of a download, derived from Maven's output: a line every few seconds, instead of one for each of its 150
// files.

export interface FetchProgress {
  /** Takes a line of Maven's output. Returns the text to show now, if any; `nowMs` is the time of any clock. */
  line(text: string, nowMs: number): string | undefined;
  /** Returns the whole download so far as text. */
  total(): string;
}

const EVERY_MS = 5_000;
const DOWNLOADED = /Downloaded from \S+ (\S+\.(?:jar|gz)) \(([\d.]+) ([kMG]?)B /;
const UNITS: Readonly<Record<string, number>> = { "": 1e-6, k: 1e-3, M: 1, G: 1e3 };

export function createFetchProgress(title: string, startMs: number): FetchProgress {
  let files = 0;
  let megabytes = 0;
  let shownAt = startMs;
  const downloaded = () => `${files} ${files === 1 ? "file" : "files"}, ${Math.round(megabytes)} MB`;
  const total = () => (files === 0 ? "Maven had all files already" : downloaded());
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
