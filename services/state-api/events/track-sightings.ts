// Lives of tracks, from the live state that the state machine writes.
import { z } from "zod";
import { markOf, readMark, type TrackMark } from "../../../projections/event-state/track-mark.ts";
import type { TrackSighting } from "../../../projections/event-state/types.ts";
import { parseTrack } from "../../../projections/live/stored.ts";
import { type Sighting, seenLast } from "../../../projections/track/seen-last.ts";
import type { EventStateChanged } from "../../../schemas/events.ts";
import { partitionKeys, twinField } from "../../../schemas/redis-keys.ts";
import type { RedisClient } from "../../common/redis/client.ts";

/** Undefined when live state cannot say anything about the track now. */
type MaybeSighting = (TrackSighting & Sighting) | undefined;

interface TrackQuery {
  readonly trackId: string;
  /** When undefined, the track with this id that was seen last is taken. */
  readonly dataSourceId?: string | undefined;
}

export interface TrackSightings {
  /** @returns undefined when live state does not know the track. */
  find(trackId: string): Promise<TrackMark | undefined>;
  /** Resolves with one value for each event, in the same order. */
  forEvents(events: readonly EventStateChanged[]): Promise<readonly MaybeSighting[]>;
}

const reply = z.tuple([
  z.tuple([z.null(), z.string().nullable()]),
  z.tuple([z.null(), z.array(z.string().nullable())]),
]);

export function createTrackSightings(redis: RedisClient, namespace: string, partitions: number): TrackSightings {
  const all = Array.from({ length: partitions }, (_, partition) => partition);

  /** Reads position and tracks at one instant: a partition without a position has no complete live state yet. */
  async function read(partition: number, asked: readonly TrackQuery[]): Promise<readonly MaybeSighting[]> {
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
      const { lastSeen = null } = stored ?? {};
      return { kind: "sighting", track, next: Number(next), dataSourceId: stored?.dataSourceId ?? "", lastSeen };
    });
  }

  async function findAll(asked: readonly TrackQuery[]): Promise<readonly MaybeSighting[]> {
    const found = await Promise.all(all.map((partition) => read(partition, asked)));
    return asked.map((_, i) => {
      const known = found.flatMap((sightings) => sightings[i] ?? []).filter(({ track }) => track !== undefined);
      return seenLast(known, (sighting) => sighting);
    });
  }

  return {
    find: async (trackId) => (await findAll([{ trackId }]))[0]?.track,

    async forEvents(events) {
      const byPartition = Map.groupBy(events, ({ trackMark }) =>
        trackMark === null ? undefined : readMark(trackMark).partition,
      );
      const sightings = new Map<EventStateChanged, MaybeSighting>();
      await Promise.all(
        Array.from(byPartition, async ([partition, group]) => {
          const asked = group.map(({ scopeId, trackMark }) => ({
            trackId: scopeId,
            dataSourceId: trackMark === null ? undefined : readMark(trackMark).dataSourceId,
          }));
          const found = await (partition === undefined ? findAll(asked) : read(partition, asked));
          for (const [i, event] of group.entries()) sightings.set(event, found[i]);
        }),
      );
      return events.map((event) => sightings.get(event));
    },
  };
}
