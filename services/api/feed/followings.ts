// The topics that one API instance follows, each once for all its subscribers. A topic is followed for a while after
// its last subscriber has left.
import { type AppError, messageOf, RETRY_AFTER_MS, unavailable } from "../../../schemas/errors.ts";
import type { Topic } from "../../../schemas/topics.ts";
import type { Log } from "../../common/log.ts";
import type { FollowedTopic } from "./follow-topic.ts";
import { createInTurn, type InTurn } from "./in-turn.ts";
import type { TopicReader } from "./read-topic.ts";
import type { Subscriber } from "./subscriber.ts";

export interface Following {
  readonly subscribers: Set<Subscriber>;
  readonly inTurn: InTurn;
  readonly started: Promise<FollowedTopic>;
  /** Set after the start. */
  followed: FollowedTopic | undefined;
  idle: NodeJS.Timeout | undefined;
}

export interface FollowingsOptions {
  readonly begin: (topic: Topic, inTurn: InTurn) => Promise<FollowedTopic>;
  /** Milliseconds for which a topic without subscribers is still followed. */
  readonly idleMs: number;
  readonly log: Log;
}

export const cannotFollow = (cause: unknown): AppError =>
  unavailable("the log cannot be followed now", RETRY_AFTER_MS, cause);

export class Followings {
  readonly #options: FollowingsOptions;
  readonly #byTopic = new Map<Topic, Following>();
  readonly #stopping = new Set<Promise<void>>();

  constructor(options: FollowingsOptions) {
    this.#options = options;
  }

  get(topic: Topic): Following | undefined {
    return this.#byTopic.get(topic);
  }

  *readers(): Generator<TopicReader> {
    for (const { followed } of this.#byTopic.values()) if (followed !== undefined) yield followed.reader;
  }

  /** Follows the topic for one more subscriber, which the caller adds in the same turn. */
  enter(topic: Topic): Following {
    const following = this.#byTopic.get(topic) ?? this.#begin(topic);
    clearTimeout(following.idle);
    return following;
  }

  leave(topic: Topic, following: Following, subscriber: Subscriber): void {
    following.subscribers.delete(subscriber);
    if (following.subscribers.size > 0 || this.#byTopic.get(topic) !== following) return;
    clearTimeout(following.idle);
    following.idle = setTimeout(() => this.#end(topic, following), this.#options.idleMs);
    following.idle.unref();
  }

  async stop(): Promise<void> {
    for (const [topic, following] of this.#byTopic) this.#end(topic, following);
    await Promise.all(this.#stopping);
  }

  #begin(topic: Topic): Following {
    const inTurn = createInTurn();
    const started = this.#options.begin(topic, inTurn);
    const following: Following = { subscribers: new Set(), inTurn, started, followed: undefined, idle: undefined };
    this.#byTopic.set(topic, following);
    const fail = (error: unknown) => {
      this.#options.log.error({ topic, err: error }, "feed failed");
      this.#end(topic, following, cannotFollow(error));
    };
    started.then((followed) => {
      following.followed = followed;
      followed.failed.catch(fail);
    }, fail);
    return following;
  }

  #end(topic: Topic, following: Following, error?: AppError): void {
    if (this.#byTopic.get(topic) === following) this.#byTopic.delete(topic);
    clearTimeout(following.idle);
    if (error !== undefined) for (const subscriber of [...following.subscribers]) subscriber.end("away", error);
    const stopped = following.started
      .then((followed) => followed.stop())
      .catch((cause) => this.#options.log.debug({ topic, err: messageOf(cause) }, "feed did not stop cleanly"))
      .finally(() => this.#stopping.delete(stopped));
    this.#stopping.add(stopped);
  }
}
