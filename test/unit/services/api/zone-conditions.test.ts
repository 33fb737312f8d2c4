// Changes of a zone that count only for the zone that the caller has read (`ifUpdatedAt`).
import { expect, test } from "vitest";
import { createZoneApi, UPDATE_ZONE } from "./zone-api.ts";

async function createScene() {
  const api = await createZoneApi();
  const [d1, d2] = [await api.createDataSource("1"), await api.createDataSource("2")];
  const id = await api.createZone(d1);
  const { updatedAt } = (await api.data(`{ zone(id: "${id}") { updatedAt } }`)).zone;
  const change = (fields: object) => api.ask(UPDATE_ZONE, { zone: { id, ifUpdatedAt: updatedAt, ...fields } });
  return { ...api, id, d1, d2, change };
}

test("a change on a condition may be repeated after it has been made", async () => {
  const { change } = await createScene();
  const names = [await change({ name: "North" }), await change({ name: "North" })];

  expect(names.map(({ body }) => body.data.updateZone?.name)).toEqual(["North", "North"]);
});
