// The live feed of one API instance. It follows each subscribed topic once, for all subscribers.
import type { FeedMessage, RootDeps } from "../../../projections/feed/kind.ts";
import { AppError } from "../../../schemas/errors.ts";
import type { Topic } from "../../../schemas/topics.ts";
import { createLoopTurns, createTurnPace } from "../../common/loop-turns.ts";
import { createTurns } from "../../common/turns.ts";
import { type CatchUpDeps, catchUp } from "./catch-up.ts";
import { type CursorPosition, NOTHING_TAKEN, parseCursor } from "./cursor.ts";
import { type FollowedTopic, type FollowTopicOptions, followTopic } from "./follow-topic.ts";
import { cannotFollow, type Following, Followings } from "./followings.ts";
import { createHub } from "./hub.ts";
import { subscribers } from "./metrics.ts";
import type { OutboxLimits } from "./outbox.ts";
import type { RecentLimits } from "./recent.ts";
import type { Selection } from "./selection.ts";
import { createShownTracks, type ShownTracks, type TrackStores } from "./shown-tracks.ts";
import { createSubscriber, type Sink, type Subscriber } from "./subscriber.ts";

export interface FeedOptions extends Omit<CatchUpDeps, "logReads" | "pace">, TrackStores {
  /** Limits of each subscriber's queue. */
  readonly queue: OutboxLimits;
  readonly maxTests: number;
  readonly isViewed: FollowTopicOptions["isViewed"];
  readonly recordedNow: FollowTopicOptions["recordedNow"];
  readonly kept: RecentLimits;
  readonly idleMs: number;
  readonly logReaders: number;
}

export interface Feed extends RootDeps, ShownTracks {
  /**
   * The sink receives the messages after the cursor; without one, those from now on. Throws BAD_USER_INPUT if the text
   * is no cursor of this subscription; the sink receives every later failure.
   */
  subscribe(selection: Selection, sink: Sink, cursor?: unknown): Subscriber;
  /**
   * Sends a message that is not in the topic to the subscribers at the topic's tail. It carries the cursor of the last
   * message before it, so a client that resumes receives the topic's messages and not this one again.
   */
  announce(topic: Topic, message: FeedMessage): void;
  stop(): Promise<void>;
}

/** Number of filter tests in one turn of the event loop. They take one or two milliseconds. */
const TURN_TESTS = 20_000;

export function createFeed(options: FeedOptions): Feed {
  const pace = createTurnPace(createLoopTurns(), TURN_TESTS);
  const hub = createHub({ ...options, pace }, options);
  const deps: CatchUpDeps = { ...options, logReads: createTurns(options.logReaders), pace };
  const { asksForPositions } = hub;
  const followings = new Followings({
    ...options,
    begin: (topic, inTurn) =>
      followTopic({
        ...options,
        topic,
        inTurn,
        asksForPositions,
        onEntry: (entry, next) => hub.publish(topic, entry, next),
      }),
  });

  let open = 0;
  const endObserving = subscribers.observe(() => [[{}, open]]);

  return {
    ...createShownTracks(() => followings.readers(), options),
    zonesOf: options.zonesOf,
    geofencesOf: options.geofencesOf,
    stop: () => {
      endObserving();
      return followings.stop();
    },

    subscribe(selection, sink, cursor) {
      const { topic } = selection.asked.kind;
      const place = cursor == null ? undefined : parseCursor(cursor, topic);
      const following = followings.enter(topic);
      open += 1;
      let kept: Selection | undefined;
      const subscriber = createSubscriber(sink, options.queue, () => {
        open -= 1;
        if (kept !== undefined) hub.remove(subscriber, kept);
        followings.leave(topic, following, subscriber);
      });
      following.subscribers.add(subscriber);
      // The given selection is not kept here: this function's closures would keep it as long as the subscriber.
      const attach = (asked: Selection) => {
        kept = hub.add(subscriber, asked);
      };
      void join({ following, place, selection, subscriber, attach }, deps);
      return subscriber;
    },

    announce(topic, message) {
      const following = followings.get(topic);
      void following?.inTurn(() => {
        const next = following.followed?.next;
        if (next === undefined) return undefined;
        const [offset = 0] = next;
        return hub.publish(topic, { partition: 0, offset: offset - 1, bytes: 0, messages: [message] }, next);
      });
    },
  };
}

interface Beginning {
  readonly following: Following;
  /** Undefined when the subscriber begins with the messages from now on. */
  readonly place: CursorPosition | undefined;
  readonly selection: Selection;
  readonly subscriber: Subscriber;
  readonly attach: (selection: Selection) => void;
}

/**
 * Joins within the same turn of the event loop if the topic is already followed and no message is missing. Never
 * rejects.
 */
async function join({ following, place, selection, subscriber, attach }: Beginning, deps: CatchUpDeps): Promise<void> {
  try {
    const followed = following.followed ?? (await following.started);
    const joining = { followed, place: place ?? here(followed), selection, subscriber };
    await catchUp({ ...joining, attach: () => attach(selection) }, deps);
  } catch (error) {
    if (error instanceof AppError) subscriber.end("refused", error);
    else subscriber.end("away", cannotFollow(error));
  }
}

/**
 * Returns the position after the newest message that is known, by partition: the topic's end when the feed began to
 * follow it, or the position read since.
 */
function here({ topic, next, ends }: FollowedTopic): CursorPosition {
  return { topic, next: next.map((offset, i) => Math.max(offset, ends[i] ?? 0)), taken: NOTHING_TAKEN };
}
