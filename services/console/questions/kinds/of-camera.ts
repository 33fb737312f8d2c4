// Conditions on the camera, for counts that compare it as it is now.
import { cameraLabels, cameraType, contains, positions, rare } from "../filters.ts";

export const ofCamera = [
  rare(contains("cameraName", "Camera's name contains", "dataSource.name")),
  rare(cameraLabels("dataSource.labels")),
  cameraType("dataSource.type"),
  positions("Camera's position in", "dataSource.position"),
  rare(contains("siteName", "Site's name contains", "site.name")),
];
