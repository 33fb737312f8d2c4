import { expect, test } from "vitest";
import { createCatalog } from "../../../../projections/catalog/catalog.ts";
import { createHeartbeats } from "../../../../projections/catalog/heartbeats.ts";
import { unavailable } from "../../../../schemas/errors.ts";
import type { DeviceHeartbeat } from "../../../../schemas/events.ts";
import { createNoteTraffic } from "../../../../services/api/write/traffic.ts";
import { createLog } from "../../../../services/common/log.ts";
import { createEntityApi } from "../../services/api/entity-api.ts";

const HEARTBEAT = `mutation ($id: ID!, $timestamp: DateTimeOffset) {
  deviceHeartbeat(id: $id, timestamp: $timestamp) { id lastHeartbeat }
}`;
const T0 = Date.parse("2026-01-01T00:00:00.000Z");
const iso = (ms: number) => new Date(T0 + ms).toISOString();

async function createDoor() {
  const api = await createEntityApi();
  await api.data('mutation { createDevice(device: { id: "door", name: "Door", enabled: true }) { id } }');
  const beat = async (timestamp?: string) => (await api.data(HEARTBEAT, { id: "door", timestamp })).deviceHeartbeat;
  return { ...api, beat };
}

test("a device has the newest of its heartbeats", async () => {
  const { data, beat } = await createDoor();
  const shown = async () => (await data('{ device(id: "door") { lastHeartbeat } }')).device.lastHeartbeat;
  expect(await shown()).toBeNull();

  expect(await beat(iso(10_000))).toEqual({ id: "door", lastHeartbeat: iso(10_000) });
  expect(await beat(iso(0))).toEqual({ id: "door", lastHeartbeat: iso(10_000) });
  expect(await beat(iso(20_000))).toEqual({ id: "door", lastHeartbeat: iso(20_000) });
  expect(await shown()).toBe(iso(20_000));
  expect(Date.parse((await beat()).lastHeartbeat)).toBeGreaterThan(T0 + 20_000);
});

test("one that is old, or sooner than ten seconds after the last, writes nothing", async () => {
  const { beat, written } = await createDoor();
  await beat(iso(10_000));
  const before = written();

  await beat(iso(10_000));
  await beat(iso(0));
  await beat(iso(19_999));
  expect(written()).toBe(before);
});

test("one from the future counts as now, so that traffic is noteTraffic again ten seconds later", async () => {
  const { beat } = await createDoor();
  const before = Date.now();

  const shown = Date.parse((await beat(new Date(before + 300_000).toISOString())).lastHeartbeat);
  expect(shown).toBeGreaterThanOrEqual(before);
  expect(shown).toBeLessThanOrEqual(Date.now());
});

test("one of an unknown device is refused", async () => {
  const { refusal } = await createDoor();

  expect(await refusal(HEARTBEAT, { id: "gate", timestamp: iso(0) })).toEqual({ code: "NOT_FOUND", path: ["id"] });
});

test("one that the log does not take is not shown", async () => {
  const { data, refusal, failNext } = await createDoor();
  failNext(unavailable("the log did not take the message", 250));

  expect(await refusal(HEARTBEAT, { id: "door", timestamp: iso(0) })).toMatchObject({ code: "UNAVAILABLE" });
  expect((await data('{ device(id: "door") { lastHeartbeat } }')).device.lastHeartbeat).toBeNull();
});

/** Traffic of the data source `yard`, whose device is `door`, and of `folder`, which has none. */
function createTraffic() {
  const catalog = createCatalog();
  const missing = { siteId: null, pointOfInterestId: null, transcoderId: null, externalId: null, address: null };
  const set = { ...missing, name: "Door", enabled: true, dataSourceId: "yard", position: null };
  catalog.applyOwn({ type: "DeviceChanged", event: { id: "door", change: "created", at: 0, set, cleared: [] } }, 0);
  const heartbeats = createHeartbeats();
  const clock = { now: T0 };
  const written: DeviceHeartbeat[] = [];
  let away = false;
  const noteTraffic = createNoteTraffic({
    ...{ catalog, heartbeats, heartbeatMs: 10_000, now: () => clock.now, log: createLog("test", "silent") },
    writer: {
      records: async (events) => {
        if (away) throw unavailable("the log is away", 250);
        for (const { type, event } of events) if (type === "DeviceHeartbeat") written.push(event);
        return [];
      },
    },
  });
  const at = (ms: number, dataSourceId = "yard") => {
    clock.now = T0 + ms;
    noteTraffic(dataSourceId);
    return Promise.resolve();
  };
  const setAway = (value: boolean) => {
    away = value;
  };
  return { at, heartbeats, written, setAway };
}

const beatAt = (ms: number): DeviceHeartbeat => ({ deviceId: "door", timestamp: T0 + ms });

test("traffic gives a heartbeat at most once in ten seconds", async () => {
  const { at, written, heartbeats } = createTraffic();

  for (const ms of [0, 1, 9_999, 10_000, 10_001, 25_000]) await at(ms);
  expect(written).toEqual([beatAt(0), beatAt(10_000), beatAt(25_000)]);
  expect(heartbeats.lastOf("door")).toBe(T0 + 25_000);
});

test("what another instance has noteTraffic lately is not written again", async () => {
  const { at, written, heartbeats } = createTraffic();
  heartbeats.apply(beatAt(-1_000));

  await at(0);
  expect(written).toEqual([]);
  await at(10_000);
  expect(written).toEqual([beatAt(10_000)]);
});

test("a data source without a device has no heartbeat, and a log that is away stops nobody", async () => {
  const { at, written, heartbeats, setAway } = createTraffic();
  setAway(true);
  await at(0);
  await at(0, "folder");
  expect(heartbeats.lastOf("door")).toBeUndefined();

  setAway(false);
  await at(10_000);
  expect(written).toEqual([beatAt(10_000)]);
});
