// Answers of millions of values at fault: an issue for each would take gigabytes.
import { expect, test } from "vitest";
import type { z } from "zod";
import { chronicleDocuments } from "../../../../services/state-api/chronicle-query/documents.ts";
import { closestAnswer, detectionsAnswer, tracksAnswer } from "../../../../services/state-api/detections/answers.ts";

const MANY: readonly unknown[] = Array(100_000).fill(0);
const pageInfo = { hasNextPage: false, endCursor: null };
const time = "2026-01-01T00:00:00Z";
const edges = (node: object) => ({ edges: [{ node }] });
const track = { id: "t", tag: "person", endTime: null, dataSource: null, zoneIntersections: [] };
const tracksWith = (more: object) => ({ tracks: edges({ ...track, detections: [], ...more }) });
const detectionWith = (more: object) => tracksWith({ detections: [{ timestamp: time, ...more }] });
const { activity_chronicle: activity, event_chronicle: event } = chronicleDocuments;

const answers: Readonly<Record<string, readonly [z.ZodType, object]>> = {
  activities: [activity.page, { activityChronicles: { pageInfo, edges: MANY } }],
  events: [event.page, { eventChronicles: { pageInfo, edges: MANY } }],
  labels: [activity.record, { id: "a", startTime: time, labels: MANY }],
  sites: [activity.record, { id: "a", startTime: time, sites: MANY }],
  tracks: [tracksAnswer, { tracks: { edges: MANY } }],
  "detections of a track": [tracksAnswer, tracksWith({ detections: MANY })],
  stays: [tracksAnswer, tracksWith({ zoneIntersections: MANY })],
  zones: [tracksAnswer, tracksWith({ dataSource: { id: "c", zones: MANY } })],
  rings: [tracksAnswer, detectionWith({ polygon: { coordinates: MANY } })],
  points: [tracksAnswer, detectionWith({ polygon: { coordinates: [MANY] } })],
  numbers: [tracksAnswer, detectionWith({ polygon: { coordinates: [[MANY.map(String)]] } })],
  "parts of a place": [tracksAnswer, detectionWith({ position: { coordinates: MANY.map(String) } })],
  detections: [detectionsAnswer, { detections: { pageInfo, edges: MANY } }],
  "detections before": [closestAnswer, { tracks: edges({ ...track, before: MANY, after: [] }) }],
};

test.each(Object.entries(answers))("very many %s that are none are one fault", (_, [schema, answer]) => {
  expect(schema.safeParse(answer).error?.issues).toHaveLength(1);
});
