import { expect, test, vi } from "vitest";
import type { LogPosition } from "../../../../../schemas/log-position.ts";
import { perAligned } from "../../../../../schemas/outputs.ts";
import { createContextFactory } from "../../../../../services/api/graphql/create-context.ts";
import { type Applied, createPositionGate } from "../../../../../services/api/read/await-position.ts";
import { createPositionCheck } from "../../../../../services/api/read/check-positions.ts";
import { formatPosition, parsePositions } from "../../../../../services/api/read/position.ts";

const WAIT = { timeout: 10_000 };

const zoneEnd = (end: number) => perAligned((topic) => (topic === "zone-intersections" ? end : 0));

function createSources() {
  const state = {
    log: new Map<number, number>(),
    intersections: new Map<number, number>(),
    applied: new Map<number, Applied>(),
    viewed: { catalog: 0, zones: 0 },
    zonesEnd: 0,
    seen: new Set<number>(),
    asked: 0,
    askedApplied: [] as (readonly number[])[],
    ends: new Map([[2, 1_000]]),
  };
  const sources = {
    projected: async (topic: string) => {
      state.asked += 1;
      return topic === "camera-log" ? state.log : state.intersections;
    },
    applied: async (partitions: readonly number[]) => {
      state.askedApplied.push(partitions);
      return state.applied;
    },
    viewed: (topic: "catalog" | "zones") => state.viewed[topic],
    hasSeenZone: (_partition: number, offset: number) => state.seen.has(offset),
    zonesEnd: async () => state.zonesEnd,
    check: createPositionCheck(async (topic) => (topic === "catalog" ? new Map([[0, 10]]) : state.ends)),
  };
  return { state, sources };
}

const min = parsePositions("camera-log:2:7");

test("a position goes through its text", () => {
  const positions: LogPosition[] = [
    { topic: "camera-log", partition: 2, offset: 7 },
    { topic: "camera-log", partition: 0, offset: 1 },
    { topic: "camera-log", partition: 2, offset: 5 },
  ];

  expect(formatPosition(positions)).toBe("camera-log:0:1,camera-log:2:7");
  expect(parsePositions("camera-log:0:1, catalog:0:9")).toEqual([
    { topic: "camera-log", partition: 0, offset: 1 },
    { topic: "catalog", partition: 0, offset: 9 },
  ]);
  expect(formatPosition([])).toBeUndefined();
});

test.each(["", "camera-log", "camera-log:1", "camera-log:a:1", "zones:0:1", "camera-log:1:1,", "camera-log:1:-1"])(
  "'%s' is no position",
  (text) => {
    expect(() => parsePositions(text)).toThrow("camera-log:<partition>:<offset>");
  },
);

test("history is reached once the projector has passed the message", async () => {
  const { state, sources } = createSources();
  const gate = createPositionGate(sources, 5_000);
  state.log.set(2, 7);

  const reached = gate.history(min);
  await vi.waitFor(() => expect(state.asked).toBeGreaterThan(1), WAIT);
  state.log.set(2, 8);

  await expect(reached).resolves.toBeUndefined();
});

test("what is not reached within the bound is UNAVAILABLE", async () => {
  const { sources } = createSources();

  await expect(createPositionGate(sources, 10).history(min)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    retryAfterMs: expect.any(Number),
  });
});

test("intersections are reached when their outputs are projected, not before", async () => {
  const { state, sources } = createSources();
  const gate = createPositionGate(sources, 10);
  state.log.set(2, 8);

  await expect(gate.intersections(min)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  state.applied.set(2, { next: 8, ends: zoneEnd(4) });
  await expect(gate.intersections(min)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  state.intersections.set(2, 4);
  await expect(gate.intersections(min)).resolves.toBeUndefined();
});

test("nothing asked is nothing waited for", async () => {
  const { state, sources } = createSources();
  const gate = createPositionGate(sources, 10);

  await Promise.all([gate.history([]), gate.intersections([]), gate.zones([]), gate.catalog(min)]);

  expect(state.asked).toBe(0);
});

test("a zone event of this instance is not waited for", async () => {
  const { state, sources } = createSources();
  state.seen.add(7);

  await expect(createPositionGate(sources, 10).zones(min)).resolves.toBeUndefined();
});

test("zones are reached when the state machine has passed the event and the view its outputs", async () => {
  const { state, sources } = createSources();
  const gate = createPositionGate(sources, 10);
  state.zonesEnd = 3;
  state.viewed.zones = 3;

  await expect(gate.zones(min)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  state.applied.set(2, { next: 8, ends: zoneEnd(0) });
  state.zonesEnd = 4;
  await expect(gate.zones(min)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  state.viewed.zones = 4;
  await expect(gate.zones(min)).resolves.toBeUndefined();
});

test("a catalog position waits for this instance's view", async () => {
  const { state, sources } = createSources();
  const gate = createPositionGate(sources, 10);
  const position = parsePositions("catalog:0:3");

  await expect(gate.catalog(position)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  state.viewed.catalog = 4;
  await expect(gate.catalog(position)).resolves.toBeUndefined();
});

test("what an operation has just written counts as asked for", async () => {
  const asked: unknown[] = [];
  const gate = {
    history: async (positions: unknown) => void asked.push(positions),
    intersections: async () => {},
    zones: async () => {},
    catalog: async () => {},
  };
  const deps = { gate, history: {} };
  const context = createContextFactory(deps as never)({ tokenId: "", name: "", scopes: [] }, min);

  await context.historyReached();
  await context.historyReached();
  context.positions.push({ topic: "camera-log", partition: 1, offset: 5 });
  await context.historyReached();

  expect(asked).toEqual([min, [...min, { topic: "camera-log", partition: 1, offset: 5 }]]);
});

test.each(["camera-log:7:0", "camera-log:2:1000", "camera-log:2:7,camera-log:2:5000", "catalog:0:10", "catalog:1:0"])(
  "%s, which is not in the log, is BAD_USER_INPUT at once",
  async (text) => {
    const { sources } = createSources();
    const gate = createPositionGate(sources, 60_000);
    const refused = { code: "BAD_USER_INPUT", inputPath: ["x-min-position"] };
    const wait = text.startsWith("catalog") ? [gate.catalog] : [gate.history, gate.intersections, gate.zones];

    for (const each of wait) await expect(each(parsePositions(text))).rejects.toMatchObject(refused);
  },
);

test("what another instance wrote after the ends were read is waited for", async () => {
  const { state, sources } = createSources();
  const gate = createPositionGate(sources, 60_000);
  await expect(gate.history(parsePositions("camera-log:2:1000"))).rejects.toMatchObject({ code: "BAD_USER_INPUT" });

  state.ends = new Map([[2, 1_001]]);
  const reached = gate.history(parsePositions("camera-log:2:1000"));
  state.log.set(2, 1_001);

  await expect(reached).resolves.toBeUndefined();
});

test("while the broker is away a position is waited for like any other", async () => {
  const { sources } = createSources();
  const check = createPositionCheck(() => Promise.reject(new Error("away")));

  await expect(createPositionGate({ ...sources, check }, 10).history(min)).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
});

test("a thousand waiting requests ask the stores together", async () => {
  const { state, sources } = createSources();
  const gate = createPositionGate(sources, 60_000);
  const waiting = Array.from({ length: 1_000 }, (_, i) =>
    gate.intersections([{ topic: "camera-log", partition: 2, offset: i }]),
  );
  await vi.waitFor(() => expect(state.askedApplied.length).toBeGreaterThan(2), WAIT);
  state.applied.set(2, { next: 1_000, ends: zoneEnd(4) });
  state.intersections.set(2, 4);
  state.log.set(2, 1_000);
  await Promise.all(waiting);

  expect(state.askedApplied.every((partitions) => partitions.length === 1)).toBe(true);
  expect(state.askedApplied.length + state.asked).toBeLessThan(waiting.length);
});

test("while a partition has no leader a position in it is waited for, and one in another is judged", async () => {
  const { sources } = createSources();
  const check = createPositionCheck(
    async () =>
      new Map([
        [1, 5],
        [2, undefined],
      ]),
  );
  const gate = createPositionGate({ ...sources, check }, 10);

  await expect(gate.history(min)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await expect(gate.history(parsePositions("camera-log:1:5"))).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
});
