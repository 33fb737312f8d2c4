import { expect, test } from "vitest";
import { dueAt } from "../../../../projections/event-state/pass-time.ts";
import { readMark } from "../../../../projections/event-state/track-mark.ts";
import { createEvent, HOUR, MINUTE, T0, times } from "./events.ts";

test("conditions that are not met make nothing", () => {
  const event = createEvent();

  expect(event.check(false)).toBe("no_action");
  expect(event.state()).toBeUndefined();
});

test("one caller creates, updates follow, one caller closes", () => {
  const event = createEvent();

  expect([event.check(true), event.check(true), event.check(false)]).toEqual([
    "create_event",
    "no_action",
    "no_action",
  ]);
  expect(event.state()).toMatchObject({ state: "pending", globalEventId: null, eventStartTime: null });
  event.update({ globalEventId: "e1" });
  expect(event.state()).toMatchObject({ state: "active", globalEventId: "e1", eventStartTime: T0, leaseUntil: null });
  expect([event.check(true), event.check(true)]).toEqual(["update_event", "update_event"]);
  expect([event.check(false), event.check(false), event.check(true)]).toEqual([
    "close_event",
    "no_action",
    "no_action",
  ]);
  event.update({ state: "closed", eventEndTime: T0 + 5 });
  expect(event.state()).toMatchObject({ state: "closed", closureReason: "conditions_not_met", eventEndTime: T0 + 5 });
  expect([event.check(false), event.check(true)]).toEqual(["no_action", "create_event"]);
  expect(event.state()).toMatchObject({ state: "pending", globalEventId: null, closureReason: null, closedAt: null });
});

test("after the lease of a creation the next caller creates, with its own values", () => {
  const event = createEvent();
  event.check(true, { cooldownHours: 1, workflowName: "first" });

  event.wait(MINUTE - 1);
  expect(event.check(true)).toBe("no_action");
  event.wait(1);
  expect(event.check(true, { cooldownHours: 2, workflowName: "second" })).toBe("create_event");
  expect(event.state()).toMatchObject({ cooldownHours: 2, workflowName: "second", createdAt: T0 + MINUTE });
});

test("a creation that took longer than its lease still counts, if nobody else was asked to create", () => {
  const event = createEvent();
  event.check(true);
  event.wait(2 * MINUTE);

  event.update({ globalEventId: "e1" });

  expect(event.check(true)).toBe("update_event");
});

test("two creations of one event: the second one is refused", () => {
  const event = createEvent();
  event.open();

  expect(event.update({ globalEventId: "e2" })).toBe("conflict");
  expect(event.state()?.globalEventId).toBe("e1");
});

test("a closing whose lease ends is closed, as of then", () => {
  const event = createEvent();
  event.open({ cooldownHours: 1 });
  event.check(false);
  event.wait(HOUR);

  expect(event.check(true)).toBe("no_action");
  expect(event.state()).toMatchObject({ closureReason: "conditions_not_met", closedAt: T0 + MINUTE });
  event.wait(MINUTE);
  expect(event.check(true)).toBe("create_event");
});

test("the cooldown counts from the closing, in fractions of an hour", () => {
  const event = createEvent();
  event.open({ cooldownHours: 0.5 });
  event.wait(MINUTE);
  event.update({ state: "closed" });

  event.wait(HOUR / 2 - 1);
  expect(event.check(true)).toBe("no_action");
  event.wait(1);
  expect(event.check(true)).toBe("create_event");
});

test("the values of the creating call hold", () => {
  const event = createEvent();
  event.open({ cooldownHours: 0, autoCloseHours: 1 });
  event.check(true, { cooldownHours: 5, autoCloseHours: 0, workflowName: "other" });

  expect(event.state()).toMatchObject({ cooldownHours: 0, autoCloseHours: 1, workflowName: "Gate watch" });
});

test.each([
  [0.01, 36_000],
  [0.016667, 60_001],
  [0.083333, 299_999],
  [24, 24 * HOUR],
])("an event is closed %s hours after its creation", (autoCloseHours, ms) => {
  const event = createEvent();
  event.open({ autoCloseHours });
  const state = event.state();

  expect(state && dueAt(state, times)).toBe(T0 + ms);
  event.wait(ms - 1);
  expect(event.check(true)).toBe("update_event");
  event.wait(1);
  event.ask({ kind: "wait" });
  expect(event.state()).toMatchObject({ state: "closed", closureReason: "event_timeout", closedAt: T0 + ms });
});

test("0 hours: an event is never closed by itself", () => {
  const event = createEvent();
  event.open({ autoCloseHours: 0 });
  event.wait(1_000_000 * HOUR);

  expect(event.check(true)).toBe("update_event");
});

test("an event that was created with an end is closed at once", () => {
  const event = createEvent();
  event.check(true);
  event.update({ globalEventId: "e1", eventStartTime: T0 - 5, eventEndTime: T0 });

  expect(event.state()).toMatchObject({ state: "closed", closureReason: "manual_close", eventStartTime: T0 - 5 });
});

test("the id of an event that was closed meanwhile is kept, and the event stays closed", () => {
  const event = createEvent();
  event.check(true);
  event.update({ state: "closed", closureReason: "track_expired" });
  event.wait(5);

  event.update({ globalEventId: "e1" });

  expect(event.state()).toMatchObject({
    state: "closed",
    globalEventId: "e1",
    closureReason: "track_expired",
    closedAt: T0,
  });
});

test("a repeated update changes nothing", () => {
  const event = createEvent();
  event.open();
  event.wait(5);
  const before = event.state();
  event.update({ globalEventId: "e1", state: "active" });
  expect(event.state()).toBe(before);

  event.update({ state: "closed", eventEndTime: T0 });
  const closed = event.state();
  event.wait(5);
  event.update({ state: "closed", eventEndTime: T0, closureReason: "manual_close" });
  expect(event.state()).toBe(closed);
});

test.each([
  ["pending", { state: "active" }, "conflict"],
  ["pending", { state: "closing" }, "conflict"],
  ["closing", { state: "active" }, "conflict"],
  ["closed", { state: "active" }, "conflict"],
  ["closed", { state: "closing" }, "conflict"],
  ["active", { state: "closing" }, "no_action"],
  ["pending", { state: "closed" }, "no_action"],
] as const)("a %s event that a caller sets %o: %s", (from, changes, answer) => {
  const event = createEvent();
  if (from === "pending") event.check(true);
  else event.open();
  if (from === "closing" || from === "closed") event.update({ state: from });

  expect(event.update(changes)).toBe(answer);
});

test("an update of nothing is refused", () => {
  expect(createEvent().update({ globalEventId: "e1" })).toBe("unknown");
});

test("another scope type is refused, also when the conditions are not met or the event is closed", () => {
  const event = createEvent();
  event.open();

  expect([event.check(true, { scopeType: "zone" }), event.check(false, { scopeType: "zone" })]).toEqual([
    "conflict",
    "conflict",
  ]);
  event.update({ state: "closed" });
  expect(event.check(true, { scopeType: "zone" })).toBe("conflict");
});

test("a closed event is forgotten when its cooldown and an hour have passed, one that nobody created as well", () => {
  const event = createEvent();
  event.open({ cooldownHours: 2 });
  event.update({ state: "closed" });
  event.wait(2 * HOUR);
  event.ask({ kind: "wait" });
  expect(event.state()).toBeUndefined();

  event.check(true);
  event.wait(MINUTE + HOUR - 1);
  event.ask({ kind: "wait" });
  expect(event.state()?.state).toBe("pending");
  event.wait(1);
  event.ask({ kind: "wait" });
  expect(event.state()).toBeUndefined();
});

const live = { partition: 3, next: 100, rest: "10.0", firstSeen: T0, isLive: true, dataSourceId: "a:b" };
const sighting = (track: typeof live | undefined, next = 200) => ({ kind: "sighting", track, next }) as const;
const ended = { ...live, rest: "20.1", isLive: false };

test.each([
  ["the track has ended", ended, "closed"],
  ["the track has ended and come back", { ...live, rest: "20.1" }, "closed"],
  ["a gap in event time began a new stretch", { ...live, firstSeen: T0 + 60_000 }, "closed"],
  ["live state has forgotten the track", undefined, "closed"],
  ["the track is where it was", live, "active"],
])("%s: the event is %s", (_what, track, state) => {
  const event = createEvent();
  event.open();
  event.ask(sighting(live));

  event.ask(sighting(track));

  expect(event.state()?.state).toBe(state);
});

test("a pending event of a track is closed as well, and stays closed when the track comes back", () => {
  const event = createEvent();
  event.check(true);
  event.ask(sighting(live));
  event.ask(sighting(ended));
  event.ask(sighting({ ...live, rest: "20.1" }));

  expect(event.state()).toMatchObject({ state: "closed", closureReason: "track_expired" });
});

test("an event of a track that had ended before waits for the track's next end", () => {
  const event = createEvent();
  event.open();
  event.ask(sighting(ended));
  event.ask(sighting(ended));
  expect(event.state()?.state).toBe("active");

  event.ask(sighting({ ...ended, firstSeen: T0 + 5, isLive: true }));
  expect(event.state()?.state).toBe("active");

  event.ask(sighting({ ...ended, firstSeen: T0 + 5, rest: "30.0" }));
  expect(event.state()?.state).toBe("closed");
});

test("an event of a track that live state does not know is left alone", () => {
  const event = createEvent();
  event.open();

  event.ask(sighting(undefined));

  expect(event.state()?.state).toBe("active");
});

test("live state that is folded anew after a loss closes nothing before it is as far as it was", () => {
  const event = createEvent();
  event.open();
  event.ask(sighting(live));

  event.ask(sighting(undefined, 99));
  event.ask(sighting({ ...live, rest: "5.0", next: 99 }, 99));
  expect(event.state()?.state).toBe("active");

  event.ask(sighting(undefined, 100));
  expect(event.state()?.state).toBe("closed");
});

test("a look that shows nothing new changes nothing", () => {
  const event = createEvent();
  event.open();
  event.ask(sighting(live));
  const before = event.state();

  event.ask(sighting({ ...live, next: 150 }));

  expect(event.state()).toBe(before);
});

test("a track without detections has a mark that can be read back", () => {
  const event = createEvent();
  const header = { ...live, firstSeen: Number.NaN, isLive: false };
  event.open();
  event.ask(sighting(header));
  expect(readMark(event.state()?.trackMark ?? "")).toEqual(header);

  event.ask(sighting(live));
  expect(event.state()?.state).toBe("active");
  event.ask(sighting({ ...live, firstSeen: T0 + 1 }));
  expect(event.state()?.state).toBe("closed");
});
