// Asks the history whether a track exists, on behalf of creations. They wait for the answer only for a moment, and not
// at all while the history is unavailable.
import type { TrackHeader } from "../../../projections/track/header.ts";
import { messageOf } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import { withTimeout } from "../../common/with-timeout.ts";

export interface KnownTracks {
  /** @returns undefined when the history has no such track, or does not answer in time. */
  find(trackId: string): Promise<TrackHeader | undefined>;
}

interface KnownTracksDeps {
  readonly history: (trackIds: readonly string[]) => Promise<readonly TrackHeader[]>;
  readonly log: Log;
}

const TIMEOUT_MS = 1_000;
const AWAY_MS = 5_000;

interface Question {
  readonly ids: Set<string>;
  readonly answer: Promise<ReadonlyMap<string, TrackHeader>>;
}

/** One query runs at a time. The creations that arrive meanwhile share the next one. */
export function createKnownTracks({ history, log }: KnownTracksDeps): KnownTracks {
  let awayUntil = Number.NEGATIVE_INFINITY;
  let last: Promise<unknown> = Promise.resolve();
  let next: Question | undefined;

  async function ask(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, TrackHeader>> {
    await last;
    next = undefined;
    if (performance.now() < awayUntil) return new Map();
    try {
      const found = await withTimeout(history([...ids]), TIMEOUT_MS);
      return new Map(found.map((header) => [header.trackId, header]));
    } catch (error) {
      awayUntil = performance.now() + AWAY_MS;
      log.warn({ err: messageOf(error) }, "creations do not ask the history for other tracks with their ids");
      return new Map();
    }
  }

  function begin(): Question {
    const ids = new Set<string>();
    const answer = ask(ids);
    last = answer;
    return { ids, answer };
  }

  return {
    async find(trackId) {
      next ??= begin();
      next.ids.add(trackId);
      return (await next.answer).get(trackId);
    },
  };
}
