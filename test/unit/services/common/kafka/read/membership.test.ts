import { EventEmitter } from "node:events";
import type { Admin, Consumer } from "kafkajs";
import { expect, onTestFinished, test, vi } from "vitest";
import { createMembership } from "../../../../../../services/common/kafka/read/membership.ts";

const SESSION_MS = 10_000;
const events = { REQUEST: "request", HEARTBEAT: "heartbeat", GROUP_JOIN: "join", CRASH: "crash" };

/** A member whose group has just heard its heartbeat. */
function createMember() {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const emitter = new EventEmitter();
  const consumer = { events, on: (name: string, received: (event: object) => void) => emitter.on(name, received) };
  const admin = {} as Admin;
  const membership = createMembership({ admin, groupId: "g", agreement: undefined, sessionTimeoutMs: SESSION_MS });
  membership.watch(consumer as unknown as Consumer);
  emitter.emit(events.REQUEST, { payload: { apiName: "Heartbeat", sentAt: Date.now() } });
  emitter.emit(events.HEARTBEAT, {});
  return membership;
}

test("a member that the group does not hear is not alive after the session time-out, also when its clock was set back", () => {
  const membership = createMember();
  expect(membership.isAlive()).toBe(true);

  vi.setSystemTime(Date.now() - 3_600_000);
  expect(membership.isAlive()).toBe(true);
  vi.advanceTimersByTime(SESSION_MS);

  expect(membership.isAlive()).toBe(false);
});

test("a machine that slept is not alive, though only the wall clock went on meanwhile", () => {
  const membership = createMember();

  vi.setSystemTime(Date.now() + SESSION_MS);

  expect(membership.isAlive()).toBe(false);
});
