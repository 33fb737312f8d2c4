// Subscribers to every detection, one at each instance of the API at first. When a subscription is over, its client
// resumes with the cursor of its last message at the next instance.
import { setTimeout as delay } from "node:timers/promises";
import { type Received, type Subscription, subscribe } from "../../support/clients/subscriber.ts";
import { settled } from "../../support/running/settled.ts";
import type { Callers } from "../callers.ts";
import { createGap, type Gap } from "../gap.ts";
import type { Traffic } from "./traffic.ts";

export interface DetectionSubscriber extends Traffic {
  isListening(): boolean;
  readonly gap: Gap;
  /** Must be called before `differences`. */
  expect(detections: readonly { readonly trackId: string; readonly timestamp: number }[]): void;
}

interface Data {
  readonly detectionActivity: { readonly timestamp: string; readonly track: { readonly id: string } };
}

const QUERY = "subscription { detectionActivity { timestamp track { id } } }";
const POLL_MS = 50;
/** The server stops (docs/decisions/0003), and a connection that nobody accepts. */
const RETRYABLE = /^closed with 100[16] |ECONNREFUSED|ECONNRESET|socket hang up|server response: 503/;
const EXAMPLES = 3;

export async function followDetections(
  nextApi: Callers["nextApi"],
  token: { readonly id: string; readonly value: string },
  complain: (text: string) => void,
): Promise<DetectionSubscriber> {
  const gap = createGap();
  const begin = (cursor?: string): Promise<Subscription<Data>> =>
    subscribe<Data>({ url: `${nextApi()}/graphql`, token, query: QUERY, cursor });
  const before: Received<Data>[] = [];
  let current = await begin();
  let [running, resumed, known] = [true, 0, 0];
  let wanted: readonly string[] = [];
  const keys = () => [...before, ...current.received].map(({ data: { detectionActivity: each } }) => keyOf(each));

  const noteEnd = (reason: string) => {
    if (!RETRYABLE.test(reason)) complain(`a subscription to detections ended: ${reason}`);
  };

  async function resume(): Promise<void> {
    const cursor = current.received.at(-1)?.cursor ?? before.at(-1)?.cursor;
    try {
      const next = await begin(cursor);
      before.push(...current.received);
      current = next;
      resumed++;
    } catch (error) {
      noteEnd(error instanceof Error ? error.message.replace("the subscription ended: ", "") : String(error));
    }
  }

  const watching = (async () => {
    while (running) {
      const count = before.length + current.received.length;
      if (count > known) gap.answered();
      known = count;
      const reason = current.over();
      if (reason !== undefined) {
        noteEnd(reason);
        await resume();
      }
      await delay(POLL_MS);
    }
  })();

  function compare(): string[] {
    const received = keys();
    const set = new Set(received);
    const missing = wanted.filter((key) => !set.has(key));
    const counted = Map.groupBy(received, (key) => key);
    const twice = wanted.filter((key) => (counted.get(key)?.length ?? 0) > 1);
    return [...said("lacks", missing), ...said("got twice", twice)];
  }

  return {
    name: "detections to a subscriber",
    gap,
    isListening: () => current.received.length > 0,
    expect: (detections) => {
      wanted = detections.map(({ trackId, timestamp }) => `${trackId}@${timestamp}`);
    },
    stop: async () => undefined,
    async differences() {
      await settled(() => compare().length === 0);
      return compare();
    },
    async close() {
      running = false;
      await watching;
      current.drop();
    },
    counts: () => ({ received: before.length + current.received.length, resumed }),
  };
}

const keyOf = ({ timestamp, track }: Data["detectionActivity"]): string => `${track.id}@${Date.parse(timestamp)}`;

const said = (what: string, keys: readonly string[]): string[] =>
  keys.length === 0 ? [] : [`the subscriber ${what} ${keys.length} detections, e.g. ${keys.slice(0, EXAMPLES)}`];
