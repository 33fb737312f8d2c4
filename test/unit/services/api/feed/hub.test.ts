import { expect, test } from "vitest";
import type { FeedMessage } from "../../../../../projections/feed/kind.ts";
import { feedKindOf } from "../../../../../projections/feed/kinds.ts";
import { addPosition, countOf, createSeen } from "../../../../../projections/filters/seen-positions.ts";
import { createHub } from "../../../../../services/api/feed/hub.ts";
import { createInTurn } from "../../../../../services/api/feed/in-turn.ts";
import type { RecentMessage } from "../../../../../services/api/feed/recent.ts";
import type { Selection } from "../../../../../services/api/feed/selection.ts";
import { createSubscriber } from "../../../../../services/api/feed/subscriber.ts";
import { createLoopTurns, createTurnPace } from "../../../../../services/common/loop-turns.ts";

const queue = { maxMessages: 1_000, maxBytes: 1_000_000 };
const devices = feedKindOf("devices");

/** A device named x: filters may ask for its data source first. */
const message = (id: string) =>
  ({ kind: "devices", index: 0, dataSourceId: "s", state: "HEARTBEAT", device: { id, name: "x" } }) as FeedMessage;
const entry = (offset: number): RecentMessage => ({ partition: 0, offset, bytes: 0, messages: [message(`${offset}`)] });

/** Its last branch matches. */
const branches = (count: number, key = "") => ({
  or: Array.from({ length: count }, (_, i) => ({ name: { like: i === count - 1 ? "x" : `${key} ${i}` } })),
});

function createListening(maxTests = 1_000_000, turnTests = 5_000) {
  const deps = { pace: createTurnPace(createLoopTurns(), turnTests), catalog: { sources: new Map() } };
  const hub = createHub(deps as never, { queue, maxTests });
  const received: string[] = [];
  const subscribe = (filter: object, kind = devices, tokenId = "reader") => {
    const key = JSON.stringify(filter);
    const selection: Selection = {
      key,
      filterKey: key,
      tokenId,
      asked: { kind: kind as never, filter },
      render: (each) => `{"${"device" in each ? (each.device as { id: string }).id : key}":1`,
    };
    const sink = {
      congested: () => false,
      write: ({ body }: { body: Buffer }) => received.push(`${body}`),
      end: () => {},
    };
    const subscriber = createSubscriber(sink, queue, () => hub.remove(subscriber, selection));
    hub.add(subscriber, selection);
    return subscriber;
  };
  return { hub, received, subscribe };
}

test("a message that few filters judge is delivered at once", () => {
  const { hub, received, subscribe } = createListening();
  subscribe(branches(3));

  expect(hub.publish("catalog", entry(0), [0])).toBeUndefined();
  expect(received).toHaveLength(1);
});

test("a message that very many conditions judge leaves others their turns, and reaches everybody once", async () => {
  const { hub, received, subscribe } = createListening();
  for (let i = 0; i < 20; i++) subscribe(branches(600, `${i}`));
  let turns = 0;
  const count = () => {
    turns++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);

  const published = hub.publish("catalog", entry(0), [0]);
  // They join meanwhile: this message is not theirs.
  subscribe(branches(3, "late"));
  await published;
  clearImmediate(counting);

  expect(received).toHaveLength(20);
  expect(turns).toBeGreaterThan(2);
});

test("messages that are told one after the other reach each subscriber in this order, with pauses too", async () => {
  const { hub, received, subscribe } = createListening();
  const inTurn = createInTurn();
  for (let i = 0; i < 5; i++) subscribe(branches(900, `${i}`));

  await Promise.all([0, 1, 2].map((offset) => inTurn(() => hub.publish("catalog", entry(offset), [offset]))));

  expect(received.map((text) => text.slice(2, 3))).toEqual([0, 1, 2].flatMap((offset) => Array(5).fill(`${offset}`)));
});

test("a filter that takes more tests than a caller may is refused with the bound's name", () => {
  const { subscribe } = createListening(2_000);

  expect(() => subscribe(branches(600))).toThrow(expect.objectContaining({ code: "BAD_USER_INPUT" }));
  expect(() => subscribe(branches(600))).toThrow(/API_FEED_TESTS/);
  subscribe(branches(400));
});

test("one token takes a fourth of all tests, and gets them back when its subscriptions end", () => {
  const { subscribe } = createListening(4_000);
  const away = expect.objectContaining({ code: "UNAVAILABLE", retryAfterMs: 1_000 });
  const as = (tokenId: string, key: string, more = {}) =>
    subscribe({ ...branches(600, key), ...more }, devices, tokenId);
  const first = as("a", "a");

  expect(() => as("a", "b")).toThrow(away);
  // The same filter is judged once, and one of a data source is counted with those of that data source.
  const again = as("a", "a");
  as("a", "c", { dataSourceId: { eq: "s" } });
  expect(() => as("a", "d", { dataSourceId: { eq: "s" } })).toThrow(away);
  // Another token has its own share, also for a filter that is known.
  as("b", "a");
  expect(() => as("b", "b")).toThrow(away);
  first.stop();
  expect(() => as("a", "b")).toThrow(away);
  again.stop();
  as("a", "b");
  for (const token of ["c", "d", "e", "f"]) as(token, token);
  expect(() => as("g", "g")).toThrow(away);
});

test("filters that look at very many positions of a track leave others their turns, and judge it as at once", async () => {
  const { hub, received, subscribe } = createListening();
  const seen = createSeen([0, 0, 1, 1]);
  for (let i = 0; i < 5_000; i++) addPosition(seen, i / 100, 0);
  const track = { trackId: "t", dataSourceId: "s", tag: "", properties: null };
  const reported = (kind: string) => ({
    kind,
    index: 0,
    dataSourceId: "s",
    track,
    seen: { seen, count: countOf(seen) },
  });
  const at = (longitude: number, latitude: number) => ({
    position: { near: { point: { type: "Point", coordinates: [longitude, latitude] }, radius: 10 } },
  });
  const nowhere = Array.from({ length: 200 }, (_, i) => at(i / 10, 50));
  const tracks = feedKindOf("tracks");
  const filters = {
    last: { or: [...nowhere, at(49.99, 0)] },
    before: { or: [...nowhere, at(1, 1)] },
    notThere: { not: { or: nowhere } },
    never: { or: nowhere },
    wasThere: { not: { or: [...nowhere, at(49.99, 0)] } },
  };
  for (const filter of Object.values(filters)) subscribe(filter, tracks);
  let turns = 0;
  const count = () => {
    turns++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);

  await hub.publish("camera-log", { ...entry(0), messages: [reported("tracks") as FeedMessage] }, [0]);
  clearImmediate(counting);

  const { last, before, notThere } = filters;
  expect(received.map((text) => text.slice(2, text.lastIndexOf('":1')))).toEqual(
    [last, before, notThere].map((each) => JSON.stringify(each)),
  );
  // 200 places times 5 000 positions: a million tests, 10 000 in a turn.
  expect(turns).toBeGreaterThan(90);
});
