// For every filter that has both sides, SQL and predicate agree on random objects. FILTERS_SEED repeats a run,
// FILTERS=10000 FILTERS_OBJECTS=1000 is the long form.
import { expect, test } from "vitest";
import { createDataSourceIds } from "../../../projections/catalog/data-source-ids.ts";
import { createSourceIndex } from "../../../projections/catalog/source-index.ts";
import type { Chronicle } from "../../../projections/chronicles/define-chronicle.ts";
import { evolveChronicle } from "../../../projections/chronicles/evolve.ts";
import { chronicles } from "../../../projections/chronicles/kinds.ts";
import { activityFields, eventChronicleFields, summaryFields } from "../../../projections/filters/chronicles.ts";
import { compile } from "../../../projections/filters/compile.ts";
import { type DetectionSubject, detectionFields } from "../../../projections/filters/detections.ts";
import { eventFields as fieldsOfEvents, inWordsOfActivities } from "../../../projections/filters/events.ts";
import { geofenceIntersectionFields, intersectionFields } from "../../../projections/filters/intersections.ts";
import { matches } from "../../../projections/filters/match.ts";
import { withCurrentTag } from "../../../projections/filters/sql/current-tag.ts";
import { trackFields } from "../../../projections/filters/tracks.ts";
import { chronicleHistory } from "../../../projections/history/chronicles/tables.ts";
import { detectionsOfTracks } from "../../../projections/history/queries/detections.ts";
import type {
  GeofenceIntersectionRecord,
  IntersectionRecord,
  VideoRecord,
} from "../../../projections/history/queries/records.ts";
import { measurementFields } from "../../../projections/history/records/measurement.ts";
import { videoFields } from "../../../projections/history/records/video.ts";
import { createGathered, type Gathered } from "../../../projections/history/rows/gather.ts";
import type { ChronicleKind } from "../../../schemas/chronicles/kinds.ts";
import type { Detection } from "../../../schemas/events.ts";
import type { MeasurementRecorded } from "../../../schemas/records/measurement-recorded.ts";
import { createHistoryStore } from "../../../services/projector/history-store.ts";
import { anyCreation } from "../../support/random/any-chronicles.ts";
import {
  anyActivityFilter,
  anyDetectionFilter,
  anyEventChronicleFilter,
  anyEventFilter,
  anyGeofenceIntersectionFilter,
  anyIntersectionFilter,
  anyMeasurementFilter,
  anySummaryFilter,
  anyTrackDetectionFilter,
  anyTrackFilter,
  anyVideoFilter,
} from "../../support/random/any-filters.ts";
import {
  anyDetection,
  anyGeofenceIntersection,
  anyIntersection,
  anyTrack,
  dataSources,
} from "../../support/random/any-objects.ts";
import { any } from "../../support/random/any-values.ts";
import { howMany } from "../../support/random/how-many.ts";
import { agree, type Sides } from "./agree.ts";
import { createDatabase, type Database } from "./database.ts";
import { pick, type Random, seeded } from "./world.ts";

const FILTERS = Number(process.env["FILTERS"] ?? howMany({ short: 100, full: 250 }));
const OBJECTS = Number(process.env["FILTERS_OBJECTS"] ?? 10_000);
const TIMEOUT_MS = 1_200_000;
const PER_TRACK = 20;
const seed = Number(process.env["FILTERS_SEED"] ?? Math.floor(Math.random() * 1e9));
const noDetails = { name: "", position: null, createdAt: 0, updatedAt: 0 };
const sources = createSourceIndex({ get: () => undefined, referring: () => [] });
for (const [id, source] of dataSources) sources.put({ ...noDetails, ...source, id });
const dataSourceIds = createDataSourceIds({ sources });

type Track = ReturnType<typeof anyTrack>;
type Prepared<Filter, Subject> = Omit<Sides<Filter, Subject>, "database" | "objects">;

async function agreeOn<Filter extends object, Subject>(
  prepared: Prepared<Filter, Subject>,
  make: (random: Random, rows: Gathered) => readonly Subject[],
): Promise<void> {
  const rows = createGathered();
  const objects = make(seeded(seed), rows);
  expect(objects).toHaveLength(OBJECTS);
  const database = await createFilled(rows);
  try {
    await agree({ ...prepared, database, objects }, seeded(seed + 1), FILTERS);
  } catch (error) {
    throw new Error(`FILTERS_SEED=${seed}: ${error}`);
  }
}

async function createFilled(rows: Gathered): Promise<Database> {
  const database = await createDatabase();
  const covered = { topic: "any", partition: 0, logId: "any", rankBase: 0, first: 0, next: 1 };
  await createHistoryStore(database.client).insert(rows.byTable(), [covered]);
  return database;
}

const tracksOf = (random: Random, count: number): Track[] =>
  Array.from({ length: count }, (_, i) => anyTrack(random, `t${i}`));

const recordedAs = (offset: number) => ({ partition: 0, offset, recordedAt: 0 });

function addTrack(rows: Gathered, offset: number, track: Track, detections: readonly Detection[]): void {
  const { trackId, dataSourceId, tag, startTime, endTime, modelId, properties } = track;
  const header = { trackId, dataSourceId, tag, startTime, endTime, modelId, properties, metadata: null };
  rows.add({ type: "TrackCreated", event: { ...header, detections } }, recordedAs(offset));
}

const bare = { polygon: null, direction: null, metadata: null };

test("on tracks", { timeout: TIMEOUT_MS }, async () => {
  await agreeOn(
    {
      from: "tracks_current_v1",
      number: "toUInt64(substring(track_id, 2))",
      anyFilter: anyTrackFilter,
      matches: (filter, track: Track) => matches(trackFields, filter, track),
      compile: (params, filter) => compile(trackFields, filter, { params, dataSourceIds }),
    },
    (random, rows) => {
      const tracks = tracksOf(random, OBJECTS);
      for (const [offset, track] of tracks.entries()) {
        const { trackId, places } = track;
        const detections = places.map((position, timestamp) => ({ ...bare, trackId, timestamp, position }));
        addTrack(rows, offset, track, detections);
      }
      return tracks;
    },
  );
});

test("on detections", { timeout: TIMEOUT_MS }, async () => {
  await agreeOn(
    {
      from: "detections_v1 FINAL",
      number: "toUInt64(assumeNotNull(direction))",
      anyFilter: anyDetectionFilter,
      matches: (filter, detection: DetectionSubject) => matches(detectionFields, filter, detection),
      compile: (params, filter) => compile(detectionFields, filter, { params, dataSourceIds }),
    },
    (random, rows) => addDetections(random, rows, tracksOf(random, OBJECTS / PER_TRACK)),
  );
});

function addDetections(random: Random, rows: Gathered, tracks: readonly Track[]): DetectionSubject[] {
  return tracks.flatMap((track, t) => {
    const intersections = [0, 1, 2].map((i) => anyIntersection(random, `i${t}-${i}`, track));
    const ofGeofences = [0, 1, 2].map((i) => anyGeofenceIntersection(random, `i${t}-${i}`, track));
    const times = Array.from({ length: PER_TRACK }, (_, i) => any.time(random) + i);
    const detections = times.map((at) => anyDetection(random, track, at, intersections, ofGeofences));
    const listed = detections.map((detection, i) => ({ ...bare, ...detection, direction: t * PER_TRACK + i }));
    addTrack(rows, t, track, listed);
    for (const each of intersections) addIntersection(rows, t, each);
    for (const each of ofGeofences) addGeofenceIntersection(rows, t, each);
    return detections;
  });
}

function addIntersection(rows: Gathered, offset: number, record: IntersectionRecord): void {
  rows.add({ type: "ZoneIntersectionChanged", event: { ...record, ...causedBy(offset, record) } }, recordedAs(offset));
}

function addGeofenceIntersection(rows: Gathered, offset: number, record: GeofenceIntersectionRecord): void {
  const event = { ...record, ...causedBy(offset, record) };
  rows.add({ type: "GeofenceIntersectionChanged", event }, recordedAs(offset));
}

const causedBy = (offset: number, { endTime }: { readonly endTime: number | null }) => ({
  state: endTime === null ? ("START" as const) : ("END" as const),
  cause: { partition: 0, offset, index: 0 },
});

test("on the detections of tracks", { timeout: TIMEOUT_MS }, async () => {
  const random = seeded(seed);
  const rows = createGathered();
  const tracks = tracksOf(random, 50);
  const detections = addDetections(random, rows, tracks);
  const { client } = await createFilled(rows);

  for (let i = 0; i < FILTERS / 10; i++) {
    const filter = anyTrackDetectionFilter(random);
    const lists = await detectionsOfTracks({ client, dataSourceIds }, { tracks, filter, sort: [] });
    const found = lists.flat().map(({ direction }) => direction ?? -1);
    const expected = detections.flatMap((one, number) => (matches(detectionFields, filter, one) ? [number] : []));
    const reported = { seed, filter };
    expect({ ...reported, found: found.sort((a, b) => a - b) }).toEqual({ ...reported, found: expected });
  }
});

test("on intersections", { timeout: TIMEOUT_MS }, async () => {
  await agreeOn(
    {
      from: withCurrentTag({ table: "zone_intersections_v1", from: "zone_intersections_v1 FINAL", conditions: [] }),
      number: "toUInt64(substring(intersection_id, 2))",
      anyFilter: anyIntersectionFilter,
      matches: (filter, intersection: IntersectionRecord) => matches(intersectionFields, filter, intersection),
      compile: (params, filter) => compile(intersectionFields, filter, { params, dataSourceIds }),
    },
    (random, rows) => {
      const intersections = tracksOf(random, OBJECTS).map((track, i) => anyIntersection(random, `i${i}`, track));
      for (const [offset, each] of intersections.entries()) addIntersection(rows, offset, each);
      return intersections;
    },
  );
});

test("on geofence intersections", { timeout: TIMEOUT_MS }, async () => {
  await agreeOn(
    {
      from: "geofence_intersections_v1 FINAL",
      number: "toUInt64(substring(intersection_id, 2))",
      anyFilter: anyGeofenceIntersectionFilter,
      matches: (filter, intersection: GeofenceIntersectionRecord) =>
        matches(geofenceIntersectionFields, filter, intersection),
      compile: (params, filter) => compile(geofenceIntersectionFields, filter, { params, dataSourceIds }),
    },
    (random, rows) => {
      const intersections = tracksOf(random, OBJECTS).map((track, i) =>
        anyGeofenceIntersection(random, `i${i}`, track),
      );
      for (const [offset, each] of intersections.entries()) addGeofenceIntersection(rows, offset, each);
      return intersections;
    },
  );
});

test("on measurements", { timeout: TIMEOUT_MS }, async () => {
  await agreeOn(
    {
      from: "measurements_v1 FINAL",
      number: "toUInt64(value)",
      anyFilter: anyMeasurementFilter,
      matches: (filter, measurement: MeasurementRecorded) => matches(measurementFields, filter, measurement),
      compile: (params, filter) => compile(measurementFields, filter, { params, dataSourceIds }),
    },
    (random, rows) =>
      Array.from({ length: OBJECTS }, (_, i) => {
        const event = { sensorId: pick(random, any.sensors), timestamp: any.time(random), value: String(i) };
        rows.add({ type: "MeasurementRecorded", event }, recordedAs(i));
        return event;
      }),
  );
});

test("on videos", { timeout: TIMEOUT_MS }, async () => {
  await agreeOn(
    {
      from: "videos_current_v1",
      number: "toUInt64(substring(video_id, 2))",
      anyFilter: anyVideoFilter,
      matches: (filter, video: VideoRecord) => matches(videoFields, filter, video),
      compile: (params, filter) => compile(videoFields, filter, { params, dataSourceIds }),
    },
    (random, rows) =>
      Array.from({ length: OBJECTS }, (_, i) => {
        const startTime = any.time(random);
        const endTime = random() < 0.7 ? startTime + Math.floor(random() * 50) * 100 : null;
        const nothing = { thumbnailPath: null, displayName: null, frameRate: null };
        const set = { ...nothing, startTime, endTime, path: "v", resolutionHeight: null, resolutionWidth: null };
        const video = { id: `t${i}`, dataSourceId: pick(random, any.sources) };
        rows.add(
          { type: "VideoChanged", event: { ...video, change: "created", at: 0, set, cleared: [] } },
          recordedAs(i),
        );
        return { ...video, ...set };
      }),
  );
});

test("on the deprecated events", { timeout: TIMEOUT_MS }, async () => {
  await agreeOn(
    {
      from: chronicleHistory.activityChronicle.view,
      number: "toUInt64(substring(chronicle_id, 2))",
      anyFilter: (random) => anyEventFilter(random),
      matches: (filter, activity: Chronicle<"activityChronicle">) =>
        matches(fieldsOfEvents, inWordsOfActivities(filter), activity),
      compile: (params, filter) => compile(fieldsOfEvents, inWordsOfActivities(filter), { params, dataSourceIds }),
    },
    (random, rows) => addChronicles(random, rows, "activityChronicle"),
  );
});

const chronicleSides = {
  activityChronicle: { filter: anyActivityFilter, fields: activityFields },
  eventChronicle: { filter: anyEventChronicleFilter, fields: eventChronicleFields },
  summaryChronicle: { filter: anySummaryFilter, fields: summaryFields },
};

test.each(["activityChronicle", "eventChronicle", "summaryChronicle"] as const)(
  "on %s",
  { timeout: TIMEOUT_MS },
  async (kind) => {
    const { filter: anyFilter, fields } = chronicleSides[kind];
    // Filter, fields and objects are of one kind; the compiler does not see it in a table.
    const table = fields as never;
    await agreeOn(
      {
        from: chronicleHistory[kind].view,
        number: "toUInt64(substring(chronicle_id, 2))",
        anyFilter: (random): object => anyFilter(random),
        matches: (filter, chronicle) => matches(table, filter as never, chronicle as never),
        compile: (params, filter) => compile(table, filter as never, { params, dataSourceIds }),
      },
      (random, rows) => addChronicles(random, rows, kind),
    );
  },
);

function addChronicles<K extends ChronicleKind>(random: Random, rows: Gathered, kind: K): Chronicle<K>[] {
  return Array.from({ length: OBJECTS }, (_, i) => {
    const created = anyCreation(random, chronicles[kind], `t${i}`);
    rows.add(created, recordedAs(i));
    return evolveChronicle<object>(undefined, created) as Chronicle<K>;
  });
}
