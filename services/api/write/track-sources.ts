// The stores that may have the header of a track beside this instance: the entry in Redis, and the history.
import type { TrackHeader } from "../../../projections/track/header.ts";
import { messageOf, RETRY_AFTER_MS, unavailable } from "../../../schemas/errors.ts";
import type { Log } from "../../common/log.ts";
import type { SharedHeaders, VersionOf } from "./shared-headers.ts";

export interface TrackSources {
  /** Resolves with "away" when Redis is unavailable. */
  shared(trackIds: readonly string[]): Promise<readonly TrackHeader[] | "away">;
  /**
   * Rejects with UNAVAILABLE when the history is unavailable. It also does so when Redis is unavailable and the history
   * lacks one of the tracks, because a track created a moment ago may be in Redis only.
   */
  stored(trackIds: readonly string[], redisAway: boolean): Promise<readonly TrackHeader[]>;
  /**
   * Writes the fields that are newer than the shared ones; resolves with the shared header after that.
   * @returns undefined when Redis is unavailable.
   */
  share(header: TrackHeader, versionOf: VersionOf): Promise<TrackHeader | undefined>;
}

export interface TrackSourcesDeps {
  readonly entries: SharedHeaders;
  readonly history: (trackIds: readonly string[]) => Promise<readonly TrackHeader[]>;
  readonly log: Log;
}

export function createTrackSources({ entries, history, log }: TrackSourcesDeps): TrackSources {
  const warn = (error: unknown) => log.warn({ err: messageOf(error) }, "track routing: redis is away");

  return {
    async shared(trackIds) {
      try {
        return await entries.read(trackIds);
      } catch (error) {
        warn(error);
        return "away";
      }
    },

    async stored(trackIds, redisAway) {
      try {
        const found = await history(trackIds);
        if (redisAway && found.length < trackIds.length) throw cannotFind();
        return found;
      } catch (error) {
        throw cannotFind(error);
      }
    },

    async share(header, versionOf) {
      try {
        return await entries.write(header, versionOf);
      } catch (error) {
        warn(error);
        return undefined;
      }
    },
  };
}

const cannotFind = (cause?: unknown) => unavailable("tracks cannot be looked up now", RETRY_AFTER_MS, cause);
