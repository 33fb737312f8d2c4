// Where tracks are in their lives, from the live state that the state machine writes.
import type { Redis } from "ioredis";
import { z } from "zod";
import { markOf, readMark, type TrackMark } from "../../../projections/event-state/track-mark.ts";
import type { Look } from "../../../projections/event-state/types.ts";
import { isKnown } from "../../../projections/live/known.ts";
import { parseTrack } from "../../../projections/live/stored.ts";
import type { EventStateChanged } from "../../../schemas/events.ts";
import { partitionKeys, twinField } from "../../../schemas/redis-keys.ts";

/** Undefined: live state cannot say anything about the track now. */
type Looked = (Look & { readonly lastSeen: number }) | undefined;

interface Asked {
  readonly trackId: string;
  /** Undefined: that of the track with this id that was seen last. */
  readonly dataSourceId?: string | undefined;
}

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
  async function read(partition: number, asked: readonly Asked[]): Promise<readonly Looked[]> {
    const { position, tracks } = partitionKeys(namespace, partition);
    const fields = asked.flatMap(({ trackId, dataSourceId = "" }) => [trackId, twinField(dataSourceId, trackId)]);
    const answers = await redis
      .multi()
      .hget(position, "next")
      .hmget(tracks, ...fields)
      .exec();
    const [[, next], [, texts]] = reply.parse(answers);
    if (next === null) return asked.map(() => undefined);
    return asked.map(({ dataSourceId }, i) => {
      const found = [texts[2 * i + 1], texts[2 * i]].filter((text) => text != null).map((text) => parseTrack(text));
      const stored = found.find((each) => dataSourceId === undefined || each.dataSourceId === dataSourceId);
      const track = stored === undefined ? undefined : markOf(partition, Number(next), stored);
      return { kind: "look", track, next: Number(next), lastSeen: stored?.lastSeen ?? Number.NaN };
    });
  }

  async function findAll(asked: readonly Asked[]): Promise<readonly Looked[]> {
    const found = await Promise.all(all.map((partition) => read(partition, asked)));
    return asked.map((_, i) => {
      const known = found.map((looks) => looks[i]).filter((each) => each?.track !== undefined);
      return known.reduce<Looked>((last, each) => (isLater(each, last) ? each : last), undefined);
    });
  }

  return {
    find: async (trackId) => (await findAll([{ trackId }]))[0]?.track,

    async look(events) {
      const byPartition = Map.groupBy(events, ({ trackMark }) =>
        trackMark === null ? undefined : readMark(trackMark).partition,
      );
      const looks = new Map<EventStateChanged, Looked>();
      await Promise.all(
        Array.from(byPartition, async ([partition, group]) => {
          const asked = group.map(({ scopeId, trackMark }) => ({
            trackId: scopeId,
            dataSourceId: trackMark === null ? undefined : readMark(trackMark).dataSourceId,
          }));
          const found = await (partition === undefined ? findAll(asked) : read(partition, asked));
          for (const [i, event] of group.entries()) looks.set(event, found[i]);
        }),
      );
      return events.map((event) => looks.get(event));
    },
  };
}

/** A track without a detection has not been seen at all. */
const isLater = (one: Looked, other: Looked): boolean => other === undefined || lastOf(one) > lastOf(other);

const lastOf = (looked: Looked): number => {
  const lastSeen = looked?.lastSeen ?? Number.NaN;
  return isKnown(lastSeen) ? lastSeen : Number.NEGATIVE_INFINITY;
};
