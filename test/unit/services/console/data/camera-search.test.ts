import { expect, test } from "vitest";
import { foundCameras, type ListedCamera } from "../../../../../services/console/data/camera-search.ts";

const camera = (name: string, site: string | undefined, labels: readonly string[]): ListedCamera => ({
  ...{ id: `id-of-${name}`, name, site, labels },
  lastHeartbeat: undefined,
});

const CAMERAS = [
  camera("Quay", "Harbour", ["outdoor"]),
  camera("Hall", "Station", ["indoor"]),
  camera("Gate", undefined, ["outdoor", "gate"]),
];

test.each([
  ["", ["Quay", "Hall", "Gate"]],
  ["quay", ["Quay"]],
  ["STATION", ["Hall"]],
  ["outdoor", ["Quay", "Gate"]],
  ["outdoor harbour", ["Quay"]],
  ["id-of-Gate", ["Gate"]],
  ["nothing", []],
])("a search for %j finds %j", (text, names) => {
  expect(foundCameras(CAMERAS, text).map(({ name }) => name)).toEqual(names);
});
