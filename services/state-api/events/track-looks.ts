// Where tracks are in their lives, from the live state that the state machine writes.
import type { Redis } from "ioredis";
import { z } from "zod";
import { markOf, readMark, type TrackMark } from "../../../projections/event-state/track-mark.ts";
import type { Look } from "../../../projections/event-state/types.ts";
import { parseTrack } from "../../../projections/live/stored.ts";
import type { EventStateChanged } from "../../../schemas/events.ts";
import { partitionKeys } from "../../../schemas/redis-keys.ts";

/** Undefined: live state cannot say anything about the track now. */
type Looked = Look | undefined;

export interface TrackLooks {
  /** Undefined: live state does not know the track. */
  find(trackId: string): Promise<TrackMark | undefined>;
  /** For each event of a track, in the same order. */
  look(events: readonly EventStateChanged[]): Promise<readonly Looked[]>;
}

const reply = z.tuple([
  z.tuple([z.null(), z.string().nullable()]),
  z.tuple([z.null(), z.array(z.string().nullable())]),
]);

export function createTrackLooks(redis: Redis, namespace: string, partitions: number): TrackLooks {
  const all = Array.from({ length: partitions }, (_, partition) => partition);

  /** Position and tracks at one instant: without its position, a partition's live state is being made. */
  async function read(partition: number, trackIds: readonly string[]): Promise<readonly Looked[]> {
    const { position, tracks } = partitionKeys(namespace, partition);
    const answers = await redis
      .multi()
      .hget(position, "next")
      .hmget(tracks, ...trackIds)
      .exec();
    const [[, next], [, texts]] = reply.parse(answers);
    if (next === null) return trackIds.map(() => undefined);
    return texts.map((text) => {
      const track = text === null ? undefined : markOf(partition, Number(next), parseTrack(text));
      return { kind: "look", track, next: Number(next) };
    });
  }

  async function findAll(trackIds: readonly string[]): Promise<readonly Looked[]> {
    const found = await Promise.all(all.map((partition) => read(partition, trackIds)));
    return trackIds.map((_, i) => {
      const known = found.map((looks) => looks[i]).filter((each) => each?.track !== undefined);
      // Data sources may give tracks the same id.
      return known.find((each) => each?.track?.isLive === true) ?? known[0];
    });
  }

  return {
    find: async (trackId) => (await findAll([trackId]))[0]?.track,

    async look(events) {
      const byPartition = Map.groupBy(events, ({ trackMark }) =>
        trackMark === null ? undefined : readMark(trackMark).partition,
      );
      const looks = new Map<EventStateChanged, Looked>();
      await Promise.all(
        Array.from(byPartition, async ([partition, group]) => {
          const ids = group.map(({ scopeId }) => scopeId);
          const found = await (partition === undefined ? findAll(ids) : read(partition, ids));
          for (const [i, event] of group.entries()) looks.set(event, found[i]);
        }),
      );
      return events.map((event) => looks.get(event));
    },
  };
}
