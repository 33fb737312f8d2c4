import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readZonesFile } from "../../../../../services/cli/import/zones-file.ts";

const ring = [
  [0, 0],
  [5, 0],
  [5, 5],
  [0, 0],
];
const feature = (name: unknown, geometry: unknown = { type: "Polygon", coordinates: [ring] }) => ({
  type: "Feature",
  properties: { name },
  geometry,
});

async function read(...features: readonly unknown[]) {
  const folder = await mkdtemp(join(tmpdir(), "tracklog-zones-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "zones.geojson");
  await writeFile(file, JSON.stringify({ type: "FeatureCollection", features }));
  return readZonesFile(file);
}

test("named polygons become zones", async () => {
  expect(await read(feature("door"), feature("gate"))).toEqual([
    { name: "door", coordinates: [ring] },
    { name: "gate", coordinates: [ring] },
  ]);
});

test("what is not a named polygon is pointed out", async () => {
  await expect(read(feature("door"), feature(undefined))).rejects.toThrow("features.1.properties.name");
  await expect(read(feature("door", { type: "Point", coordinates: [0, 0] }))).rejects.toThrow("features.0.geometry");
  await expect(read(feature("door"), feature("door"))).rejects.toThrow("two zones have the same name");
});
