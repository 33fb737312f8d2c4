// From messages of the log to what they mean to subscribers: decoded, checked and folded, once for all of them.
import { LRUCache } from "lru-cache";
import { foldCameraLog, type Place, tracksToFind } from "../../../projections/feed/fold-camera-log.ts";
import { type CauseMemory, foldIntersection } from "../../../projections/feed/fold-intersections.ts";
import type { FeedMessage } from "../../../projections/feed/messages.ts";
import {
  createTrackMemory,
  hasHeader,
  learnTrack,
  snapshot,
  type TrackMemory,
} from "../../../projections/feed/track-memory.ts";
import type { ShownTrack, TrackHeader } from "../../../projections/track/header.ts";
import type { EventBounds } from "../../../schemas/bounds.ts";
import type { Codec } from "../../../schemas/codec.ts";
import { messageOf } from "../../../schemas/errors.ts";
import type { CameraLogEvent } from "../../../schemas/events.ts";
import { LOG_ID } from "../../../schemas/headers.ts";
import { readCameraLog, readMessage } from "../../../schemas/read-message.ts";
import type { Taken } from "../../common/kafka/group-reader.ts";
import type { Log } from "../../common/log.ts";
import type { FeedTopic } from "./cursor.ts";
import { createPositionFinder, type PositionFinder, type PositionFinderDeps } from "./find-positions.ts";
import type { Entry } from "./recent.ts";
import { within } from "./within.ts";

export interface TopicReader {
  /** One entry per message, in order; those that cannot be read give none of their own messages. */
  read(batch: Taken): Promise<Entry[]>;
  /** The track as the messages read so far have left it. */
  track(id: string): ShownTrack | undefined;
  readonly positions: PositionFinder;
}

export interface ReaderDeps extends PositionFinderDeps {
  readonly codec: Codec;
  readonly log: Log;
  readonly bounds: EventBounds;
  readonly maxTracks: number;
  readonly maxPositions: number;
  /** Unknown ones are left out. */
  readonly findTracks: (ids: readonly string[]) => Promise<ReadonlyMap<string, TrackHeader>>;
}

/** How long a track is not looked up again. */
const UNFOUND_MS = 5_000;
const UNFOUND_TRACKS = 10_000;
/** A store that is away must not hold up the feed: the track is then shown as far as the log tells. */
const FIND_TIMEOUT_MS = 2_000;

/** With a memory of its own: one reader per pass through the log. */
export const createTopicReader = (topic: FeedTopic, deps: ReaderDeps): TopicReader =>
  topic === "camera-log" ? createCameraLogReader(deps) : createIntersectionsReader(deps);

function createCameraLogReader(deps: ReaderDeps): TopicReader {
  const { codec, bounds } = deps;
  const memory = createTrackMemory(deps);
  const find = createFinder(memory, deps);

  function decode(value: Buffer | null, recordedAt: number): CameraLogEvent | undefined {
    const read = readCameraLog(codec, value, recordedAt, bounds);
    return read.ok ? read.message : undefined;
  }

  return {
    async read(batch) {
      await codec.learn(batch.messages.map(({ value }) => value));
      const events = batch.messages.map(({ value, timestamp }) => decode(value, Number(timestamp)));
      await find(events.filter((event) => event !== undefined));
      return toEntries(batch, (i, place) => {
        const event = events[i];
        return event === undefined ? [] : foldCameraLog(memory, event, place);
      });
    },
    track(id) {
      const track = memory.peek(id);
      return track !== undefined && hasHeader(track) ? snapshot(track) : undefined;
    },
    positions: createPositionFinder(memory, deps),
  };
}

function createIntersectionsReader({ codec }: ReaderDeps): TopicReader {
  const causes: CauseMemory = new Map();
  return {
    async read(batch) {
      await codec.learn(batch.messages.map(({ value }) => value));
      return toEntries(batch, (i) => {
        const message = batch.messages[i];
        const change = readMessage(codec, "zone-intersections", message?.value ?? null);
        if (!change.ok) return [];
        return foldIntersection(causes, change.event, message?.headers?.[LOG_ID]?.toString());
      });
    },
    track: () => undefined,
    positions: { lacks: () => false, find: async () => {} },
  };
}

function toEntries(
  { partition, messages }: Taken,
  fold: (index: number, place: Place) => readonly FeedMessage[],
): Entry[] {
  return messages.map((message, i) => {
    const offset = Number(message.offset);
    const told = fold(i, { offset, recordedAt: Number(message.timestamp) });
    return { partition, offset, bytes: message.value?.length ?? 0, messages: told };
  });
}

/** Looks up the tracks that the memory needs before the events can be folded. */
function createFinder(memory: TrackMemory, { findTracks, log }: ReaderDeps) {
  const unfound = new LRUCache<string, true>({ max: UNFOUND_TRACKS, ttl: UNFOUND_MS });
  return async (events: readonly CameraLogEvent[]): Promise<void> => {
    const ids = tracksToFind(memory, events).filter((id) => !unfound.has(id));
    if (ids.length === 0) return;
    try {
      const found = await within(findTracks(ids), FIND_TIMEOUT_MS);
      for (const track of found.values()) learnTrack(memory, track);
      for (const id of ids) if (!found.has(id)) unfound.set(id, true);
    } catch (error) {
      for (const id of ids) unfound.set(id, true);
      log.warn({ err: messageOf(error), tracks: ids.length }, "feed: tracks cannot be looked up");
    }
  };
}
