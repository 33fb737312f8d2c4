// Every kind of question. The first one is asked when the address names none.
import { activities } from "./kinds/activities.ts";
import { countActivities } from "./kinds/count-activities.ts";
import { countDetections } from "./kinds/count-detections.ts";
import { countEvents } from "./kinds/count-events.ts";
import { countTracks } from "./kinds/count-tracks.ts";
import { countZoneStays } from "./kinds/count-zone-stays.ts";
import { detections } from "./kinds/detections.ts";
import { events } from "./kinds/events.ts";
import { geofenceStays } from "./kinds/geofence-stays.ts";
import { summaries } from "./kinds/summaries.ts";
import { tracks } from "./kinds/tracks.ts";
import { zoneStays } from "./kinds/zone-stays.ts";
import type { Question } from "./question.ts";

export const questions: readonly [Question, ...Question[]] = [
  zoneStays,
  tracks,
  detections,
  geofenceStays,
  activities,
  events,
  summaries,
  countTracks,
  countZoneStays,
  countDetections,
  countActivities,
  countEvents,
];

export const questionOf = (id: string): Question => questions.find((each) => each.id === id) ?? questions[0];
