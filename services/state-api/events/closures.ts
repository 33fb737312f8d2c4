// Closes events without a request: by time, and when their track expires. Every instance does it; each event is decided
// only once all the same.
import { decide } from "../../../projections/event-state/decide.ts";
import type { CurrentEvent, DecisionMoment } from "../../../projections/event-state/types.ts";
import type { EventStateChanged } from "../../../schemas/events.ts";
import type { Part } from "../../common/lifecycle.ts";
import type { Log } from "../../common/log.ts";
import { loop } from "../../common/loop.ts";
import type { Decisions } from "./decisions.ts";
import type { EventId, EventStore } from "./store.ts";
import type { TrackSightings } from "./track-sightings.ts";

export interface ClosuresOptions {
  readonly store: EventStore;
  readonly decisions: Decisions;
  readonly sightings: TrackSightings;
  readonly times: Omit<DecisionMoment, "now">;
  readonly log: Log;
}

const ROUND_MS = 250;
/** Once there has been nothing to do for longer than the store postpones an open event, rounds are farther apart. */
const IDLE_AFTER_MS = 3_000;
const IDLE_ROUND_MS = 1_000;
const DUE_PER_ROUND = 200;
const TRACKS_PER_ROUND = 1_000;

export function createClosures({ store, decisions, sightings, times, log }: ClosuresOptions): Part {
  const stopped = new AbortController();
  let running: Promise<unknown> | undefined;
  let busyAt = performance.now();

  async function passTime(): Promise<void> {
    const due = noted(await store.takeDue(DUE_PER_ROUND));
    await all(due, (id) => decisions.decide(id, (state, now) => decide(state, { kind: "wait" }, { now, ...times })));
  }

  function noted<T>(found: readonly T[]): readonly T[] {
    if (found.length > 0) busyAt = performance.now();
    return found;
  }

  async function watchTracks(): Promise<void> {
    const events = noted(await store.takeTracks(TRACKS_PER_ROUND));
    const found = await sightings.forEvents(events);
    const changing = events.filter((event, i) => {
      const sighting = found[i];
      if (sighting === undefined) return false;
      const decision = decide(event, sighting, { now: event.updatedAt, ...times });
      return "refused" in decision || decision.state !== event;
    });
    await all(changing, (event) => decisions.decide(event, recheck));
  }

  /**
   * Decides on a new sighting of the track. The first one may be older than the state: the event may have been closed
   * and created again meanwhile.
   */
  async function recheck(state: CurrentEvent, now: number) {
    const [sighting] = state === undefined ? [] : await sightings.forEvents([state]);
    return decide(state, sighting ?? { kind: "wait" }, { now, ...times });
  }

  async function all<T extends EventId | EventStateChanged>(items: readonly T[], work: (item: T) => Promise<unknown>) {
    const failed = (await Promise.allSettled(items.map(work))).filter(({ status }) => status === "rejected");
    const [first] = failed;
    if (first?.status === "rejected") log.warn({ err: first.reason, events: failed.length }, "events not closed yet");
  }

  async function round(): Promise<undefined> {
    for (const work of [passTime, watchTracks]) {
      await work().catch((error) => log.warn({ err: error }, "events cannot be closed now"));
    }
  }

  return {
    name: "closures of events",
    async start() {
      const pauseMs = () => (performance.now() - busyAt < IDLE_AFTER_MS ? ROUND_MS : IDLE_ROUND_MS);
      running = loop(round, { pauseMs, signal: stopped.signal });
    },
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
