// The live feed of one API instance. It follows each subscribed topic once, for all subscribers.
import type { FeedMessage, RootDeps } from "../../../projections/feed/kind.ts";
import type { TrackRef } from "../../../projections/history/queries/records.ts";
import type { ShownTrack, TrackHeader } from "../../../projections/track/header.ts";
import { AppError, messageOf, unavailable } from "../../../schemas/errors.ts";
import type { Topic } from "../../../schemas/topics.ts";
import { createLoopTurns, createPace } from "../../common/loop-turns.ts";
import { createTurns } from "../../common/turns.ts";
import { type CatchUpDeps, catchUp } from "./catch-up.ts";
import { NOTHING_TAKEN, type Place, parseCursor } from "./cursor.ts";
import { type FollowedTopic, type FollowTopicOptions, followTopic } from "./follow-topic.ts";
import { createHub } from "./hub.ts";
import { createInTurn, type InTurn } from "./in-turn.ts";
import type { OutboxLimits } from "./outbox.ts";
import type { TopicReader } from "./read-topic.ts";
import type { RecentLimits } from "./recent.ts";
import type { Selection } from "./selection.ts";
import { createSubscriber, type Sink, type Subscriber } from "./subscriber.ts";

export interface FeedOptions extends Omit<CatchUpDeps, "logReads" | "pace"> {
  /** Answers without a wait; undefined = a look-up may still find the track. */
  readonly knownTrack: (id: string) => ShownTrack | undefined;
  /** Leaves out unknown tracks. */
  readonly findTracksById: (ids: readonly string[]) => Promise<ReadonlyMap<string, TrackHeader>>;
  /** Per subscriber. */
  readonly queue: OutboxLimits;
  readonly maxTests: number;
  readonly isViewed: FollowTopicOptions["isViewed"];
  readonly recordedNow: FollowTopicOptions["recordedNow"];
  readonly kept: RecentLimits;
  readonly idleMs: number;
  readonly logReaders: number;
}

export interface Feed extends RootDeps {
  /**
   * The sink gets the messages after the cursor; without one, those from now on. Throws BAD_USER_INPUT if the text is
   * no cursor of this subscription; the sink gets every later failure.
   */
  subscribe(selection: Selection, sink: Sink, cursor?: unknown): Subscriber;
  /** The track, by a look-up if it is not known without a wait. */
  findTrack(ref: TrackRef): Promise<ShownTrack | undefined>;
  /** For callers who do not know the data source. */
  findTrackById(id: string): Promise<ShownTrack | undefined>;
  /**
   * A message that the topic does not have. Those who follow its tail get it, with the cursor of the last message
   * before it: a client that resumes gets what the topic has, and not this once more.
   */
  tell(topic: Topic, message: FeedMessage): void;
  stop(): Promise<void>;
}

const RETRY_AFTER_MS = 1_000;
/** Tests of filters in a turn of the event loop: a millisecond or two. */
const TURN_TESTS = 20_000;

interface Following {
  readonly subscribers: Set<Subscriber>;
  readonly inTurn: InTurn;
  readonly started: Promise<FollowedTopic>;
  /** Set once it has started. */
  followed: FollowedTopic | undefined;
  idle: NodeJS.Timeout | undefined;
}

export function createFeed(options: FeedOptions): Feed {
  const { log } = options;
  const pace = createPace(createLoopTurns(), TURN_TESTS);
  const hub = createHub({ ...options, pace }, options);
  const deps: CatchUpDeps = { ...options, logReads: createTurns(options.logReaders), pace };
  const followings = new Map<Topic, Following>();
  const stopping = new Set<Promise<void>>();

  function begin(topic: Topic): Following {
    const onEntry: Parameters<typeof followTopic>[0]["onEntry"] = (entry, next) => hub.publish(topic, entry, next);
    const inTurn = createInTurn();
    const started = followTopic({ ...options, topic, onEntry, inTurn, asksForPositions: hub.asksForPositions });
    const following: Following = { subscribers: new Set(), inTurn, started, followed: undefined, idle: undefined };
    followings.set(topic, following);
    const fail = (error: unknown) => {
      log.error({ topic, err: error }, "feed failed");
      end(topic, following, unavailable("the log cannot be followed now", RETRY_AFTER_MS, error));
    };
    started.then((followed) => {
      following.followed = followed;
      followed.failed.catch(fail);
    }, fail);
    return following;
  }

  function end(topic: Topic, following: Following, error?: AppError): void {
    if (followings.get(topic) === following) followings.delete(topic);
    clearTimeout(following.idle);
    if (error !== undefined) for (const subscriber of [...following.subscribers]) subscriber.end("away", error);
    const stopped = following.started
      .then((followed) => followed.stop())
      .catch((cause) => log.debug({ topic, err: messageOf(cause) }, "feed did not stop cleanly"))
      .finally(() => stopping.delete(stopped));
    stopping.add(stopped);
  }

  function leave(topic: Topic, following: Following, subscriber: Subscriber): void {
    following.subscribers.delete(subscriber);
    if (following.subscribers.size > 0 || followings.get(topic) !== following) return;
    clearTimeout(following.idle);
    following.idle = setTimeout(() => end(topic, following), options.idleMs);
    following.idle.unref();
  }

  /** Joins without a wait if the topic is already followed and there is nothing to catch up with. */
  async function join(following: Following, place: Place | undefined, selection: Selection, subscriber: Subscriber) {
    try {
      const followed = following.followed ?? (await following.started);
      const attach = () => hub.add(subscriber, selection);
      await catchUp({ followed, place: place ?? here(followed), selection, subscriber, attach }, deps);
    } catch (error) {
      if (error instanceof AppError) subscriber.end("refused", error);
      else subscriber.end("away", unavailable("the log cannot be followed now", RETRY_AFTER_MS, error));
    }
  }

  /** The track as the feed has seen it, else as `knownTrack` has it. Other data sources may have a track with its id. */
  function track(ref: TrackRef): ShownTrack | undefined {
    const known = firstSeenBy((reader) => reader.track(ref)) ?? options.knownTrack(ref.trackId);
    return known?.dataSourceId === ref.dataSourceId ? known : undefined;
  }

  function firstSeenBy(ask: (reader: TopicReader) => ShownTrack | undefined): ShownTrack | undefined {
    for (const { followed } of followings.values()) {
      const found = followed && ask(followed.reader);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  const findTrack = async (ref: TrackRef): Promise<ShownTrack | undefined> =>
    track(ref) ?? (await options.findTracks([ref]))[0];

  const findTrackById = async (trackId: string): Promise<ShownTrack | undefined> =>
    firstSeenBy((reader) => reader.trackById(trackId)) ??
    options.knownTrack(trackId) ??
    (await options.findTracksById([trackId])).get(trackId);

  return {
    subscribe(selection, sink, cursor) {
      const { topic } = selection.asked.kind;
      const place = cursor == null ? undefined : parseCursor(cursor, topic);
      const following = followings.get(topic) ?? begin(topic);
      clearTimeout(following.idle);
      const subscriber = createSubscriber(sink, options.queue, () => {
        hub.remove(subscriber, selection);
        leave(topic, following, subscriber);
      });
      following.subscribers.add(subscriber);
      void join(following, place, selection, subscriber);
      return subscriber;
    },

    track,
    findTrack,
    findTrackById,
    zonesOf: options.zonesOf,
    geofencesOf: options.geofencesOf,

    tell(topic, message) {
      const following = followings.get(topic);
      void following?.inTurn(() => {
        const next = following.followed?.next;
        if (next === undefined) return undefined;
        const [offset = 0] = next;
        return hub.publish(topic, { partition: 0, offset: offset - 1, bytes: 0, messages: [message] }, next);
      });
    },

    async stop() {
      for (const [topic, following] of followings) end(topic, following);
      await Promise.all(stopping);
    },
  };
}

/** The known end of the topic: its end when the feed began to follow it, or what was read since. */
function here({ topic, next, ends }: FollowedTopic): Place {
  return { topic, next: next.map((offset, i) => Math.max(offset, ends[i] ?? 0)), taken: NOTHING_TAKEN };
}
