// Queries the history for the fields of all entries of a list together.
import type { Chronicle } from "../../../projections/chronicles/define-chronicle.ts";
import { prepareFilter } from "../../../projections/filters/prepare.ts";
import type { Walk } from "../../../projections/filters/walk.ts";
import { chronicleQueries } from "../../../projections/history/chronicles/pages.ts";
import { coveringVideos } from "../../../projections/history/queries/covering-videos.ts";
import { detectionsOfTracks } from "../../../projections/history/queries/detections.ts";
import {
  geofenceIntersectionsOfTracks,
  geofencesOfDetections,
  intersectionsOfTracks,
  zonesOfDetections,
} from "../../../projections/history/queries/intersections.ts";
import type {
  DetectionRecord,
  GeofenceIntersectionRecord,
  History,
  IntersectionRecord,
  PeriodRef,
  TrackRecord,
  TrackRef,
  VideoRecord,
} from "../../../projections/history/queries/records.ts";
import type { QueryClient } from "../../../projections/history/queries/run.ts";
import type { DetectionRef } from "../../../projections/history/queries/stay-queries.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
import { tracksByIds, tracksOf } from "../../../projections/history/queries/tracks.ts";
import type { ChronicleKind } from "../../../schemas/chronicles/kinds.ts";
import type { DetectionOrder, TrackDetectionFilter } from "../../../schemas/filters.ts";
import type { RecordTopic } from "./await-position.ts";
import { type Batch, createBatch } from "./batch.ts";
import { type FoundRecords, recordIdOf } from "./find-records.ts";

export interface TrackDetectionsArgs {
  readonly filter?: TrackDetectionFilter | null;
  readonly first?: number | null;
  readonly sort: readonly DetectionOrder[];
}

/** Each loader waits until the history has reached the caller's position. They cache no answers. */
export interface Loaders {
  track(track: TrackRef): Promise<TrackRecord | undefined>;
  /** For callers that do not know the data source: resolves with the track that was seen last. */
  trackById(id: string): Promise<TrackRecord | undefined>;
  detections(track: TrackRef, args: TrackDetectionsArgs): Promise<readonly DetectionRecord[]>;
  intersections(track: TrackRef): Promise<readonly IntersectionRecord[]>;
  zoneIds(detection: DetectionRef): Promise<readonly string[]>;
  geofenceIntersections(track: TrackRef): Promise<readonly GeofenceIntersectionRecord[]>;
  geofenceIds(detection: DetectionRef): Promise<readonly string[]>;
  record<Rec>(kind: FoundRecords<Rec>, id: string): Promise<Rec | undefined>;
  chronicle<K extends ChronicleKind>(kind: K, id: string): Promise<Chronicle<K> | undefined>;
  /**
   * Resolves with the video whose period contains this one.
   * @returns undefined when there is none.
   */
  coveringVideo(period: PeriodRef): Promise<VideoRecord | undefined>;
}

export interface PositionAwaiters {
  historyReached(topic?: RecordTopic): Promise<void>;
  intersectionsReached(): Promise<void>;
}

/**
 * `walk` prepares filters. The batches are created at the first load, because most mutations, and many queries, do not
 * use the history.
 */
export function createLoaders(history: History, reached: PositionAwaiters, walk: Walk): Loaders {
  let made: Batches | undefined;
  const batches = (): Batches => {
    made ??= createBatches(history, reached, walk);
    return made;
  };
  return {
    track: (ref) => batches().tracks.load(ref),
    trackById: (id) => batches().tracksById.load(id),
    detections: (track, args) => batches().detectionsOf(args).load(track),
    intersections: (track) => batches().intersections.load(track),
    zoneIds: (detection) => batches().zoneIds.load(detection),
    geofenceIntersections: (track) => batches().geofenceIntersections.load(track),
    geofenceIds: (detection) => batches().geofenceIds.load(detection),
    record: (kind, id) => batches().recordsOf(kind).load(id),
    chronicle: <K extends ChronicleKind>(kind: K, id: string) => {
      const ofKind: { readonly [Kind in ChronicleKind]: Batch<string, Chronicle<Kind> | undefined> } =
        batches().chronicles;
      return ofKind[kind].load(id);
    },
    coveringVideo: (period) => batches().covering.load(period),
  };
}

type Batches = ReturnType<typeof createBatches>;

function createBatches(history: History, reached: PositionAwaiters, walk: Walk) {
  const { client } = history;
  const stays = <Stay>(ask: AskAreas<TrackRef, Stay>) => areaBatch(client, reached, ask, trackKeyOf);
  const areas = (ask: AskAreas<DetectionRef, string>) => areaBatch(client, reached, ask, detectionKeyOf);
  const chronicles = <K extends ChronicleKind>(kind: K) =>
    byIds(
      () => reached.historyReached("chronicles"),
      (ids) => chronicleQueries[kind].byIds(client, ids),
      ({ id }) => id,
    );
  return {
    tracks: trackBatch(client, reached),
    tracksById: byIds(
      () => reached.historyReached(),
      (ids) => tracksByIds(client, ids),
      ({ trackId }) => trackId,
    ),
    detectionsOf: createDetectionBatches(history, reached, walk),
    intersections: stays(intersectionsOfTracks),
    zoneIds: areas(zonesOfDetections),
    geofenceIntersections: stays(geofenceIntersectionsOfTracks),
    geofenceIds: areas(geofencesOfDetections),
    recordsOf: createRecordBatches(client, reached),
    chronicles: {
      activityChronicle: chronicles("activityChronicle"),
      eventChronicle: chronicles("eventChronicle"),
      summaryChronicle: chronicles("summaryChronicle"),
    },
    covering: coveringBatch(client, reached),
  };
}

const trackBatch = (client: QueryClient, reached: PositionAwaiters) =>
  createBatch(async (refs: readonly TrackRef[]) => {
    await reached.historyReached();
    return answerOnce(refs, trackKeyOf, async (once) => {
      const found = new Map((await tracksOf(client, once)).map((track) => [trackKeyOf(track), track]));
      return once.map((ref) => found.get(trackKeyOf(ref)));
    });
  });

const byIds = <Found>(
  reach: () => Promise<void>,
  ask: (ids: readonly string[]) => Promise<readonly Found[]>,
  idOf: (each: Found) => string,
) =>
  createBatch(async (ids: readonly string[]) => {
    await reach();
    const found = new Map((await ask([...new Set(ids)])).map((each) => [idOf(each), each]));
    return ids.map((id) => found.get(id));
  });

/** One batch for each kind of records. */
function createRecordBatches(client: QueryClient, reached: PositionAwaiters) {
  const batches = new Map<RecordTopic, Batch<string, never>>();
  return <Rec>(kind: FoundRecords<Rec>): Batch<string, Rec | undefined> => {
    const known: Batch<string, Rec | undefined> | undefined = batches.get(kind.topic);
    if (known !== undefined) return known;
    const batch = byIds(
      () => reached.historyReached(kind.topic),
      (ids) => kind.byIds(client, ids),
      (each) => recordIdOf(kind, each),
    );
    // The cast is safe: a topic has one kind of records.
    batches.set(kind.topic, batch as Batch<string, never>);
    return batch;
  };
}

/** Queries the zones or geofences of each key. */
type AskAreas<Key, Found> = (client: QueryClient, keys: readonly Key[]) => Promise<Found[][]>;

const areaBatch = <Key, Found>(
  client: QueryClient,
  reached: PositionAwaiters,
  ask: AskAreas<Key, Found>,
  keyOf: (key: Key) => string,
) =>
  createBatch(async (keys: readonly Key[]) => {
    await reached.intersectionsReached();
    return answerOnce(keys, keyOf, (once) => ask(client, once));
  });

const detectionKeyOf = (ref: DetectionRef): string => `${ref.timestamp} ${trackKeyOf(ref)}`;

const coveringBatch = (client: QueryClient, reached: PositionAwaiters) =>
  createBatch(async (periods: readonly PeriodRef[]) => {
    await reached.historyReached("videos");
    const keyOf = ({ dataSourceId, from, to }: PeriodRef) => `${from} ${to} ${dataSourceId}`;
    return answerOnce(periods, keyOf, (once) => coveringVideos(client, once));
  });

type DetectionBatch = Batch<TrackRef, readonly DetectionRecord[]>;

/**
 * One batch for each combination of arguments. It is kept only while it waits: the loaders of subscriptions live long,
 * and would otherwise keep filters of any size for ever.
 */
function createDetectionBatches(history: History, reached: PositionAwaiters, walk: Walk) {
  const batches = new Map<string, DetectionBatch>();
  return (args: TrackDetectionsArgs): DetectionBatch => {
    const key = JSON.stringify([args.filter == null ? "" : textOf(args.filter), args.first, args.sort]);
    const waiting = batches.get(key);
    if (waiting !== undefined) return waiting;
    const batch: DetectionBatch = createBatch(async (refs) => {
      batches.delete(key);
      await (args.filter == null ? reached.historyReached() : reached.intersectionsReached());
      await prepareFilter(args.filter, walk);
      return answerOnce(refs, trackKeyOf, (tracks) => detectionsOfTracks(history, { ...args, tracks }));
    });
    batches.set(key, batch);
    return batch;
  };
}

/** Filters as texts. One variable may be the filter of thousands of tracks, and is serialised only once. */
const texts = new WeakMap<object, string>();

function textOf(filter: object): string {
  const text = texts.get(filter) ?? JSON.stringify(filter);
  texts.set(filter, text);
  return text;
}

/** Queries every key once, and returns an answer for each given key. */
async function answerOnce<Key, Value>(
  keys: readonly Key[],
  nameOf: (key: Key) => string,
  ask: (once: readonly Key[]) => Promise<readonly Value[]>,
): Promise<Value[]> {
  const once = new Map(keys.map((key) => [nameOf(key), key]));
  const values = await ask([...once.values()]);
  const byName = new Map([...once.keys()].map((name, i) => [name, values[i]]));
  return keys.map((key) => byName.get(nameOf(key)) as Value);
}
