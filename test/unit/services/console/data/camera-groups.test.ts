import { expect, test } from "vitest";
import { cameraGroupsOf } from "../../../../../services/console/data/camera-groups.ts";

test("sixteen neighbours are followed together, and the last ones are fewer", () => {
  const ids = Array.from({ length: 20 }, (_, i) => `camera ${i}`);

  const groups = cameraGroupsOf(ids);

  expect(groups.get("camera 0")).toEqual(ids.slice(0, 16));
  expect(groups.get("camera 15")).toBe(groups.get("camera 0"));
  expect(groups.get("camera 19")).toEqual(ids.slice(16));
});
