// The replay sessions that this browser knows. The REST interface lists none, so it remembers the ids.
const KEY = "tracklog.replays";
const MOST = 50;

/** Newest first. */
export function knownReplays(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id) => typeof id === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export const rememberReplay = (id: string): void => keep([id, ...knownReplays().filter((each) => each !== id)]);

export const forgetReplay = (id: string): void => keep(knownReplays().filter((each) => each !== id));

const keep = (ids: readonly string[]): void => localStorage.setItem(KEY, JSON.stringify(ids.slice(0, MOST)));
