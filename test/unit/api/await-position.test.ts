import { expect, test, vi } from "vitest";
import { type Applied, createPositionGate } from "../../../services/api/await-position.ts";
import { createContextFactory } from "../../../services/api/create-context.ts";
import { formatPosition, parsePosition } from "../../../services/api/position.ts";

function createSources() {
  const state = {
    log: new Map<number, number>(),
    intersections: new Map<number, number>(),
    applied: new Map<number, Applied>(),
    viewed: { catalog: 0, zones: 0 },
    zonesEnd: 0,
    seen: new Set<number>(),
    asked: 0,
  };
  const sources = {
    projected: async (topic: string) => {
      state.asked += 1;
      return topic === "camera-log" ? state.log : state.intersections;
    },
    applied: async (partition: number) => state.applied.get(partition),
    viewed: (topic: "catalog" | "zones") => state.viewed[topic],
    hasSeenZone: (_partition: number, offset: number) => state.seen.has(offset),
    zonesEnd: async () => state.zonesEnd,
  };
  return { state, sources };
}

const min = parsePosition("camera-log:2:7");

test("a position goes through its text", () => {
  const positions = [
    { partition: 2, offset: 7 },
    { partition: 0, offset: 1 },
    { partition: 2, offset: 5 },
  ];

  expect(formatPosition(positions)).toBe("camera-log:0:1,camera-log:2:7");
  expect(parsePosition("camera-log:0:1, catalog:0:9")).toEqual([
    { topic: "camera-log", partition: 0, offset: 1 },
    { topic: "catalog", partition: 0, offset: 9 },
  ]);
  expect(formatPosition([])).toBeUndefined();
});

test.each(["", "camera-log", "camera-log:1", "camera-log:a:1", "zones:0:1", "camera-log:1:1,", "camera-log:1:-1"])(
  "'%s' is no position",
  (text) => {
    expect(() => parsePosition(text)).toThrow("camera-log:<partition>:<offset>");
  },
);

test("history is reached once the projector has passed the message", async () => {
  const { state, sources } = createSources();
  const gate = createPositionGate(sources, 5_000);
  state.log.set(2, 7);

  const reached = gate.history(min);
  await vi.waitFor(() => expect(state.asked).toBeGreaterThan(1));
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
  state.applied.set(2, { next: 8, intersections: 4 });
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
  state.applied.set(2, { next: 8, intersections: 0 });
  state.zonesEnd = 4;
  await expect(gate.zones(min)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  state.viewed.zones = 4;
  await expect(gate.zones(min)).resolves.toBeUndefined();
});

test("a catalog position waits for this instance's view", async () => {
  const { state, sources } = createSources();
  const gate = createPositionGate(sources, 10);
  const position = parsePosition("catalog:0:3");

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
  context.positions.push({ partition: 1, offset: 5 });
  await context.historyReached();

  expect(asked).toEqual([min, [...min, { partition: 1, offset: 5 }]]);
});
