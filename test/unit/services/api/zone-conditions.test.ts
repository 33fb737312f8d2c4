// Changes of a zone that count only for the zone that the caller has read (`ifUpdatedAt`).
import { expect, test } from "vitest";
import { createZoneApi, UPDATE_ZONE } from "./zone-api.ts";

const UPDATE_AND_READ = "mutation ($zone: UpdateZoneInput!) { updateZone(zone: $zone) { updatedAt } }";
const DELETE_ZONE =
  "mutation ($id: ID!, $ifUpdatedAt: DateTimeOffset) { deleteZone(id: $id, ifUpdatedAt: $ifUpdatedAt) { name } }";

async function createScene() {
  const api = await createZoneApi();
  const [d1, d2] = [await api.createDataSource("1"), await api.createDataSource("2")];
  const id = await api.createZone(d1);
  const { updatedAt } = (await api.data(`{ zone(id: "${id}") { updatedAt } }`)).zone;
  const change = (fields: object) => api.ask(UPDATE_ZONE, { zone: { id, ifUpdatedAt: updatedAt, ...fields } });
  const remove = (ifUpdatedAt: string = updatedAt) => api.ask(DELETE_ZONE, { id, ifUpdatedAt });
  return { ...api, id, d1, d2, change, remove };
}

const CONFLICT = { code: "CONFLICT", path: ["zone", "ifUpdatedAt"] };

test("a change on a condition leaves the zone where somebody else has moved it", async () => {
  const { zones, zone, write, change, id, d1, d2 } = await createScene();
  const before = zones.zone(id);
  if (before === undefined) throw new Error("the zone is missing");
  // The caller's instance has not heard of this move yet.
  const left = { zoneId: id, dataSourceId: d1, deletedAt: before.updatedAt, movedTo: d2, ifUpdatedAt: null };
  write({ type: "ZoneDeleted", event: left, dataSourceId: d1 });
  const arrived = { ...before, dataSourceId: d2, updatedAt: before.updatedAt + 1 };
  write({ type: "ZoneCreated", event: { zone: arrived }, dataSourceId: d2 });

  const { body } = await change({ dataSourceId: d1, name: "late" });

  expect(body.errors?.[0].extensions).toMatchObject(CONFLICT);
  expect(await zone(id)).toEqual({ name: "Gate", dataSource: { id: d2 } });
});

test("a change on a condition may be repeated after it has been made", async () => {
  const { change } = await createScene();
  const names = [await change({ name: "North" }), await change({ name: "North" })];

  expect(names.map(({ body }) => body.data.updateZone?.name)).toEqual(["North", "North"]);
});

test("a condition counts also for an update that changes no field", async () => {
  const { change, data, id } = await createScene();

  expect((await change({})).body.data.updateZone.name).toBe("Gate");
  await data(UPDATE_ZONE, { zone: { id, name: "North" } });
  expect((await change({})).body.errors?.[0].extensions).toMatchObject(CONFLICT);
});

test("a deletion on a condition leaves a zone that somebody has changed since, and deletes the one that was read", async () => {
  const { remove, data, zone, id } = await createScene();
  const { updatedAt } = (await data(UPDATE_AND_READ, { zone: { id, name: "North" } })).updateZone;

  expect((await remove()).body.errors?.[0].extensions).toMatchObject({ code: "CONFLICT", path: ["ifUpdatedAt"] });
  expect((await zone(id)).name).toBe("North");
  expect((await remove(updatedAt)).body.data.deleteZone).toEqual({ name: "North" });
  expect((await remove(updatedAt)).body.errors?.[0].extensions).toMatchObject({ code: "NOT_FOUND", path: ["id"] });
});

test("a deletion on a condition leaves a zone that somebody is moving", async () => {
  const { remove, zones, write, id, d1, d2 } = await createScene();
  const left = { zoneId: id, dataSourceId: d1, deletedAt: Date.now(), movedTo: d2, ifUpdatedAt: null };
  write({ type: "ZoneDeleted", event: left, dataSourceId: d1 });

  expect((await remove()).body.errors?.[0].extensions).toMatchObject({ code: "CONFLICT", path: ["ifUpdatedAt"] });
  expect(zones.zone(id)?.dataSourceId).toBe(d2);
});

test("a deletion without a condition deletes what somebody has just changed", async () => {
  const { ask, data, id } = await createScene();
  await data(UPDATE_ZONE, { zone: { id, name: "North" } });

  expect((await ask(DELETE_ZONE, { id })).body.data.deleteZone).toEqual({ name: "North" });
});
