import { byHand } from "../by-hand/index.ts";
import { chronicleQueryFields } from "../chronicles/index.ts";
import { listed, queriesOf } from "../entities.ts";
import { recordQueries } from "../records/kinds.ts";
import { summaries } from "../summaries/index.ts";
import { detections } from "./detections.ts";
import { geofenceIntersections } from "./geofence-intersections.ts";
import { imageUrl, snapshot } from "./snapshot.ts";
import { system } from "./system.ts";
import { track } from "./track.ts";
import { tracks } from "./tracks.ts";
import { zone } from "./zone.ts";
import { zoneIntersections } from "./zone-intersections.ts";
import { zoneTrial } from "./zone-trial.ts";
import { zones } from "./zones.ts";

/** The resolver map of the Query type. */
export const queries = {
  ...summaries,
  ...chronicleQueryFields,
  ...recordQueries,
  ...Object.assign({}, ...listed.map(queriesOf), ...Object.values(byHand).map(({ queries }) => queries)),
  detections,
  geofenceIntersections,
  imageUrl,
  snapshot,
  system,
  track,
  tracks,
  zone,
  zoneIntersections,
  zoneTrial,
  zones,
};
