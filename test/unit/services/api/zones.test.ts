import { expect, test } from "vitest";
import { CREATE_ZONE, createZoneApi, ring, UPDATE_ZONE } from "./zone-api.ts";

test("a zone that the fold refuses is refused to its creator, and shows nowhere", async () => {
  const { ask, data, createDataSource } = await createZoneApi({ foldMaxVertices: 6 });
  const dataSourceId = await createDataSource("Yard");
  const zone = { dataSourceId, name: "Gate", polygon: { coordinates: [ring(8)] } };

  expect((await ask(CREATE_ZONE, { zone })).body.errors?.[0]).toMatchObject({
    message: "the zones of one data source may have 1000 vertices together (MAX_DATA_SOURCE_VERTICES)",
    extensions: { code: "BAD_USER_INPUT" },
  });
  expect((await data("{ zones { totalCount } }")).zones.totalCount).toBe(0);
});

test("a creation of a zone with an id may be repeated, and what is there stays as it is", async () => {
  const { data, createDataSource, createZone, placesOf } = await createZoneApi();
  const [d1, d2] = [await createDataSource("1"), await createDataSource("2")];

  expect(await createZone(d1, 5, { id: "z" })).toBe("z");
  expect(await createZone(d2, 6, { id: "z", name: "again" })).toBe("z");
  expect((await data('{ zone(id: "z") { name } }')).zone.name).toBe("Gate");
  expect(placesOf("z")).toEqual([d1]);
});

test("a creation of a data source with an id may be repeated", async () => {
  const { data } = await createZoneApi();
  const create = (name: string) =>
    data(`mutation { createDataSource(dataSource: { id: "d", name: "${name}", type: FOLDER }) { id name } }`);

  expect([await create("Yard"), await create("Gate")].map((each) => each.createDataSource)).toEqual([
    { id: "d", name: "Yard" },
    { id: "d", name: "Yard" },
  ]);
});

/** A zone that another instance lets go at d1 while d2 has no room for it. */
async function createStuckZone() {
  const api = await createZoneApi({ foldMaxVertices: 22 });
  const [d1, d2, d3] = [
    await api.createDataSource("1"),
    await api.createDataSource("2"),
    await api.createDataSource("3"),
  ];
  const id = await api.createZone(d1);
  await api.createZone(d2, 20);
  const { body } = await api.ask(UPDATE_ZONE, { zone: { id, dataSourceId: d2 } });
  expect(body.errors?.[0].extensions.code).toBe("BAD_USER_INPUT");
  expect(await api.zone(id)).toMatchObject({ dataSource: { id: d2 } });
  return { ...api, id, d1, d2, d3 };
}

test("a zone that finds no room where it moves can be moved back, elsewhere, and deleted", async () => {
  const [back, on, gone] = await Promise.all([createStuckZone(), createStuckZone(), createStuckZone()]);

  await Promise.all([
    back.data(UPDATE_ZONE, { zone: { id: back.id, dataSourceId: back.d1 } }),
    on.data(UPDATE_ZONE, { zone: { id: on.id, dataSourceId: on.d3, name: "moved" } }),
    gone.data(`mutation { deleteZone(id: "${gone.id}") { id } }`),
  ]);
  expect(await back.zone(back.id)).toEqual({ name: "Gate", dataSource: { id: back.d1 } });
  expect(back.placesOf(back.id)).toEqual([back.d1]);
  expect(await on.zone(on.id)).toEqual({ name: "moved", dataSource: { id: on.d3 } });
  expect(on.placesOf(on.id)).toEqual([on.d3]);
  expect(await gone.zone(gone.id)).toBeNull();
  expect(gone.placesOf(gone.id)).toEqual([]);
});

test("a zone that another caller moves away is not deleted with its former data source", async () => {
  const { data, createDataSource, createZone, zone, placesOf } = await createZoneApi();
  const [d1, d2] = [await createDataSource("1"), await createDataSource("2")];
  const id = await createZone(d1);

  const moved = data(UPDATE_ZONE, { zone: { id, dataSourceId: d2 } });
  const removed = data(`mutation { deleteDataSource(id: "${d1}") { id } }`);
  expect((await moved).updateZone.dataSource.id).toBe(d2);
  expect((await removed).deleteDataSource.id).toBe(d1);
  expect(await zone(id)).toEqual({ name: "Gate", dataSource: { id: d2 } });
  expect(placesOf(id)).toEqual([d2]);
});

test("two deletions of one data source with zones at once are both answered", async () => {
  const { data, createDataSource, createZone } = await createZoneApi();
  const id = await createDataSource("Yard");
  await createZone(id);
  await createZone(id);

  const remove = () => data(`mutation { deleteDataSource(id: "${id}") { id } }`);
  expect((await Promise.all([remove(), remove()])).map((each) => each.deleteDataSource)).toEqual([{ id }, { id }]);
  expect((await data("{ zones { totalCount } }")).zones.totalCount).toBe(0);
});

test("a change of a zone waits for no store but its own view", async () => {
  const asked: string[] = [];
  const { data, createDataSource, createZone } = await createZoneApi({
    zonesReached: async () => void asked.push("zones"),
  });
  const id = await createZone(await createDataSource("Yard"));

  await data(UPDATE_ZONE, { zone: { id, name: "North" } });
  await data(`mutation { deleteZone(id: "${id}") { id } }`);
  expect(asked).toEqual([]);
});

test("a zone that would be too large where it moves is refused before it moves", async () => {
  const { ask, createDataSource, createZone, zone } = await createZoneApi({ apiMaxVertices: 30 });
  const [d1, d2] = [await createDataSource("1"), await createDataSource("2")];
  const id = await createZone(d1);
  await createZone(d2, 20);

  const input = { id, dataSourceId: d2, polygon: { coordinates: [ring(16)] } };
  expect((await ask(UPDATE_ZONE, { zone: input })).body.errors?.[0].extensions.code).toBe("BAD_USER_INPUT");
  expect(await zone(id)).toMatchObject({ dataSource: { id: d1 } });
});

test("a change on a condition is refused when somebody has changed the zone since, and then changes nothing", async () => {
  const { ask, data, createDataSource, createZone, zone } = await createZoneApi();
  const [d1, d2] = [await createDataSource("1"), await createDataSource("2")];
  const id = await createZone(d1);
  const { updatedAt } = (await data(`{ zone(id: "${id}") { updatedAt } }`)).zone;
  const change = (name: string, more: object = {}) =>
    ask(UPDATE_ZONE, { zone: { id, name, ifUpdatedAt: updatedAt, ...more } });

  expect((await change("first")).body.data.updateZone.name).toBe("first");
  expect((await change("second")).body.errors?.[0].extensions).toMatchObject({
    code: "CONFLICT",
    path: ["zone", "ifUpdatedAt"],
  });
  expect((await change("moved", { dataSourceId: d2 })).body.errors?.[0].extensions.code).toBe("BAD_USER_INPUT");
  expect(await zone(id)).toEqual({ name: "first", dataSource: { id: d1 } });
});

test("of many changes on the same condition at the same time, one counts", async () => {
  const { ask, data, createDataSource, createZone, zone } = await createZoneApi();
  const id = await createZone(await createDataSource("1"));
  const { updatedAt } = (await data(`{ zone(id: "${id}") { updatedAt } }`)).zone;
  const names = Array.from({ length: 12 }, (_, i) => `name ${i}`);

  const answers = await Promise.all(
    names.map((name) => ask(UPDATE_ZONE, { zone: { id, name, ifUpdatedAt: updatedAt } })),
  );

  const won = answers.flatMap(({ body }) => (body.errors === undefined ? [body.data.updateZone.name] : []));
  expect(won).toHaveLength(1);
  expect(answers.flatMap(({ body }) => body.errors ?? []).map(({ extensions }) => extensions.code)).toEqual(
    Array.from({ length: 11 }, () => "CONFLICT"),
  );
  expect((await zone(id)).name).toBe(won[0]);
});
