// Asks the history for the fields of all entries of a list together.
import type { Chronicle } from "../../../projections/chronicles/define-chronicle.ts";
import type { ImageRecord } from "../../../projections/history/images.ts";
import { chronicleQueries } from "../../../projections/history/queries/chronicles.ts";
import { coveringVideos } from "../../../projections/history/queries/covering-videos.ts";
import { detectionsOfTracks } from "../../../projections/history/queries/detections.ts";
import { imagesByIds } from "../../../projections/history/queries/images.ts";
import {
  type DetectionRef,
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
import type { Asked } from "../../../projections/history/queries/run.ts";
import { trackKeyOf } from "../../../projections/history/queries/track-refs.ts";
import { tracksByIds, tracksOf } from "../../../projections/history/queries/tracks.ts";
import { videosByIds } from "../../../projections/history/queries/videos.ts";
import type { ChronicleKind } from "../../../schemas/chronicles/kinds.ts";
import type { DetectionsSort, FilterTrackDetectionInput } from "../../../schemas/filters.ts";
import type { RecordTopic } from "./await-position.ts";
import { type Batch, createBatch } from "./batch.ts";

export interface TrackDetectionsArgs {
  readonly filter?: FilterTrackDetectionInput | null;
  readonly first?: number | null;
  readonly sort: readonly DetectionsSort[];
}

/** Each waits until the history has reached the caller's position. They cache no answers. */
export interface Loaders {
  track(track: TrackRef): Promise<TrackRecord | undefined>;
  /** For callers who do not know the data source: the one that was seen last. */
  trackById(id: string): Promise<TrackRecord | undefined>;
  detections(track: TrackRef, args: TrackDetectionsArgs): Promise<readonly DetectionRecord[]>;
  intersections(track: TrackRef): Promise<readonly IntersectionRecord[]>;
  zoneIds(detection: DetectionRef): Promise<readonly string[]>;
  geofenceIntersections(track: TrackRef): Promise<readonly GeofenceIntersectionRecord[]>;
  geofenceIds(detection: DetectionRef): Promise<readonly string[]>;
  image(id: string): Promise<ImageRecord | undefined>;
  chronicle<K extends ChronicleKind>(kind: K, id: string): Promise<Chronicle<K> | undefined>;
  video(id: string): Promise<VideoRecord | undefined>;
  /** The video whose period contains this one; undefined = there is none. */
  coveringVideo(period: PeriodRef): Promise<VideoRecord | undefined>;
}

export interface Reached {
  historyReached(topic?: RecordTopic): Promise<void>;
  intersectionsReached(): Promise<void>;
}

/** The batches are made with the first question: most mutations, and many queries, ask the history for nothing. */
export function createLoaders(history: History, reached: Reached): Loaders {
  let made: Batches | undefined;
  const batches = (): Batches => {
    made ??= createBatches(history, reached);
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
    image: (id) => batches().images.load(id),
    chronicle: <K extends ChronicleKind>(kind: K, id: string) => {
      const ofKind: { readonly [Kind in ChronicleKind]: Batch<string, Chronicle<Kind> | undefined> } =
        batches().chronicles;
      return ofKind[kind].load(id);
    },
    video: (id) => batches().videos.load(id),
    coveringVideo: (period) => batches().covering.load(period),
  };
}

type Batches = ReturnType<typeof createBatches>;

function createBatches(history: History, reached: Reached) {
  const { client } = history;
  const detections = new Map<string, Batch<TrackRef, readonly DetectionRecord[]>>();

  const tracks = createBatch(async (refs: readonly TrackRef[]) => {
    await reached.historyReached();
    return answerOnce(refs, trackKeyOf, async (once) => {
      const found = new Map((await tracksOf(client, once)).map((track) => [trackKeyOf(track), track]));
      return once.map((ref) => found.get(trackKeyOf(ref)));
    });
  });

  const staysOf = <Stay>(ask: (client: Asked, tracks: readonly TrackRef[]) => Promise<Stay[][]>) =>
    createBatch(async (tracks: readonly TrackRef[]) => {
      await reached.intersectionsReached();
      return answerOnce(tracks, trackKeyOf, (once) => ask(client, once));
    });

  const areasOf = (ask: (client: Asked, refs: readonly DetectionRef[]) => Promise<string[][]>) =>
    createBatch(async (refs: readonly DetectionRef[]) => {
      await reached.intersectionsReached();
      const keyOf = (ref: DetectionRef) => `${ref.timestamp} ${trackKeyOf(ref)}`;
      return answerOnce(refs, keyOf, (once) => ask(client, once));
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

  const tracksById = byIds(
    () => reached.historyReached(),
    (ids) => tracksByIds(client, ids),
    ({ trackId }) => trackId,
  );
  const images = byIds(
    () => reached.historyReached("images"),
    (ids) => imagesByIds(client, ids),
    ({ imageId }) => imageId,
  );
  const chronicleBatch = <K extends ChronicleKind>(kind: K) =>
    byIds(
      () => reached.historyReached("chronicles"),
      (ids) => chronicleQueries[kind].byIds(client, ids),
      ({ id }) => id,
    );
  const chronicles = {
    activityChronicle: chronicleBatch("activityChronicle"),
    eventChronicle: chronicleBatch("eventChronicle"),
    summaryChronicle: chronicleBatch("summaryChronicle"),
  };
  const videos = byIds(
    () => reached.historyReached("videos"),
    (ids) => videosByIds(client, ids),
    ({ id }) => id,
  );

  const covering = createBatch(async (periods: readonly PeriodRef[]) => {
    await reached.historyReached("videos");
    const keyOf = ({ dataSourceId, from, to }: PeriodRef) => `${from} ${to} ${dataSourceId}`;
    return answerOnce(periods, keyOf, (once) => coveringVideos(client, once));
  });

  /** Kept only while it waits: those of subscriptions would never be forgotten, with filters of any size. */
  function detectionsOf(args: TrackDetectionsArgs): Batch<TrackRef, readonly DetectionRecord[]> {
    const key = JSON.stringify([args.filter, args.first, args.sort]);
    const waiting = detections.get(key);
    if (waiting !== undefined) return waiting;
    const batch = createBatch<TrackRef, readonly DetectionRecord[]>(async (refs) => {
      detections.delete(key);
      await (args.filter == null ? reached.historyReached() : reached.intersectionsReached());
      return answerOnce(refs, trackKeyOf, (tracks) => detectionsOfTracks(history, { ...args, tracks }));
    });
    detections.set(key, batch);
    return batch;
  }

  return {
    tracks,
    tracksById,
    detectionsOf,
    intersections: staysOf(intersectionsOfTracks),
    zoneIds: areasOf(zonesOfDetections),
    geofenceIntersections: staysOf(geofenceIntersectionsOfTracks),
    geofenceIds: areasOf(geofencesOfDetections),
    images,
    chronicles,
    videos,
    covering,
  };
}

/** Asks for every key once, and gives each asker its answer. */
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
