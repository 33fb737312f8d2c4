import { expect, test } from "vitest";
import { CREATE_ZONE, createZoneApi, ring } from "./zone-api.ts";

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
