import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { derivedId } from "../../../../../schemas/identity.ts";
import { readReplayZones } from "../../../../../services/cli/replay/zones-file.ts";

const ring = [
  [0, 0],
  [5, 0],
  [5, 5],
  [0, 0],
];
const bounds = { maxFutureMs: 0, maxDetectionVertices: 9, maxZoneVertices: 9, maxDataSourceVertices: 99 };

const feature = (properties: object, coordinates: unknown = [ring]) => ({
  type: "Feature",
  properties: { name: "door", ...properties },
  geometry: { type: "Polygon", coordinates },
});

async function read(dataSourceIds: readonly string[] | undefined, ...features: readonly unknown[]) {
  const folder = await mkdtemp(join(tmpdir(), "tracklog-zones-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "zones.geojson");
  await writeFile(file, JSON.stringify({ type: "FeatureCollection", features }));
  return readReplayZones(file, { dataSourceIds, bounds });
}

test("a zone has the id that the import gives it, and the only data source of the run, unless it names others", async () => {
  const [door, gate] = await read(["cam"], feature({}), feature({ id: "z", dataSourceId: "yard", exitDelayMs: 300 }));

  expect(door).toMatchObject({ zoneId: derivedId("imported-zone", "cam", "door"), dataSourceId: "cam", name: "door" });
  expect(door).toMatchObject({ active: true, anchor: "area", enterDetections: 1, exitDelayMs: 0 });
  expect(door?.polygon).toEqual({ rings: [[0, 0, 5, 0, 5, 5, 0, 0]], crs: null });
  expect(gate).toMatchObject({ zoneId: "z", dataSourceId: "yard", exitDelayMs: 300 });
});

test("a fault is named with the zone", async () => {
  await expect(read(["cam"], feature({ name: "" }))).rejects.toThrow("features.0.properties.name");
  await expect(read(["cam"], feature({ enterDetections: 0 }))).rejects.toThrow("properties.enterDetections");
  await expect(read(["cam"], feature({}, [ring.slice(1)]))).rejects.toThrow("the zone door: zone.polygon.rings");
  await expect(read(["cam"], feature({}), feature({}))).rejects.toThrow("the same name and no id");
  for (const sources of [undefined, ["cam", "yard"]]) {
    await expect(read(sources, feature({}))).rejects.toThrow("the zone door needs properties.dataSourceId");
  }
});
