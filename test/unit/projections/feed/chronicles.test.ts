// The fold of the feed over random events about chronicles, with a memory that forgets and look-ups that may come from
// further on in the log.
import { expect, test } from "vitest";
import { type ChronicleEvent, evolveChronicle } from "../../../../projections/chronicles/evolve.ts";
import { activityChronicle } from "../../../../projections/chronicles/kinds.ts";
import {
  type ChronicleMemory,
  createChronicleMemory,
  type RememberedChronicle,
} from "../../../../projections/feed/chronicle-memory.ts";
import { chroniclesToFind, foldChronicle } from "../../../../projections/feed/chronicles.ts";
import type { FeedMessage } from "../../../../projections/feed/kind.ts";
import { seeded } from "../../../integration/history/world.ts";
import { anyChange, anyCreation } from "../../../support/random/any-chronicles.ts";

const CHRONICLES = 20;
const CHANGES = 400;

interface Reported {
  readonly chronicle: RememberedChronicle;
}

/** Returns the chronicles after each event. A deleted chronicle is null. */
function statesOf(events: readonly ChronicleEvent[]): ReadonlyMap<string, RememberedChronicle | null>[] {
  let states: ReadonlyMap<string, RememberedChronicle | null> = new Map();
  return events.map((event) => {
    const { id } = event.event;
    const before = states.get(id);
    if (before !== null) states = new Map(states).set(id, evolveChronicle<object>(before, event) ?? null);
    return states;
  });
}

/**
 * The API writes no creation of a chronicle that the history has. A repeated creation comes at once, while the memory
 * knows the first.
 */
const isForgotten = (memory: ChronicleMemory, { type, event }: ChronicleEvent): boolean =>
  type === "ActivityChronicleChanged" &&
  event.change === "created" &&
  memory.get({ kind: "activityChronicle", id: event.id }) === undefined;

test.each(Array.from({ length: 50 }, (_, seed) => seed))(
  "seed %i: every change is told with the whole object",
  (seed) => {
    const random = seeded(seed);
    const ids = Array.from({ length: CHRONICLES }, (_, i) => `t${i}`);
    const events = [
      ...ids.map((id) => anyCreation(random, activityChronicle, id)),
      ...Array.from({ length: CHANGES }, () =>
        anyChange(random, activityChronicle, ids[Math.floor(random() * CHRONICLES)] ?? ""),
      ),
    ];
    const states = statesOf(events);
    // Room for a few of them only.
    const memory = createChronicleMemory(4_000);
    const last = new Map<string, RememberedChronicle>();
    let asked = 0;

    for (let from = 0; from < events.length; ) {
      const places = Array.from({ length: 1 + Math.floor(random() * 5) }, (_, i) => from + i);
      memory.trim();
      const batch = places.flatMap((place) => {
        const event = events[place];
        return event === undefined || (place >= CHRONICLES && isForgotten(memory, event)) ? [] : [{ place, event }];
      });
      for (const ref of chroniclesToFind(
        memory,
        batch.map(({ event }) => event),
      )) {
        asked += 1;
        const before = (batch[ref.at]?.place ?? 0) - 1;
        const furthest = Math.min(states.length - 1, before + Math.floor(random() * 3));
        memory.set(ref, states[furthest]?.get(ref.id) ?? null);
      }
      for (const { event } of batch) {
        for (const message of foldChronicle(memory, event)) {
          const { chronicle } = message as unknown as Reported;
          expect(Object.keys(chronicle)).toContain("startTime");
          last.set(chronicle.id, chronicle);
        }
      }
      from += places.length;
    }

    const there = [...(states.at(-1) ?? [])].filter(([, chronicle]) => chronicle !== null);
    for (const [id, chronicle] of there) expect(last.get(id)).toEqual(chronicle);
    expect(asked).toBeGreaterThan(10);
  },
);

const kindsOf = (messages: readonly FeedMessage[]) => messages.map(({ kind }) => kind);

test("a repeated creation, a deletion, and what follows it give no message", () => {
  const memory = createChronicleMemory(1_000_000);
  const creation = anyCreation(seeded(1), activityChronicle, "a");
  const nothing = { at: 1, set: {}, cleared: [] };
  const change = (word: "updated" | "deleted") =>
    ({ type: creation.type, event: { id: "a", change: word, ...nothing } }) as unknown as ChronicleEvent;

  expect(kindsOf(foldChronicle(memory, creation))).toEqual(["activityChronicles", "eventActivity"]);
  expect(foldChronicle(memory, creation)).toEqual([]);
  expect(kindsOf(foldChronicle(memory, change("updated")))).toEqual(["activityChronicles", "eventActivity"]);
  expect(foldChronicle(memory, change("deleted"))).toEqual([]);
  expect(foldChronicle(memory, change("updated"))).toEqual([]);
  expect(foldChronicle(memory, creation)).toEqual([]);
});
