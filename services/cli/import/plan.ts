// Turns sorted rows into mutations in time order. Pure and lazy: one step exists at a time.
import { derivedId, isoTime } from "../../../schemas/identity.ts";
import type { TrackerRow } from "./formats/format.ts";
import type { TrackerRowTable } from "./row-table.ts";

/** Inputs in the form of the GraphQL schema. */
interface DetectionInput {
  readonly timestamp: string;
  readonly polygon: { readonly type: "Polygon"; readonly coordinates: readonly (readonly (readonly number[])[])[] };
}

interface CreateDetectionInput extends DetectionInput {
  readonly trackId: string;
}

interface CreateTrackInput {
  readonly id: string;
  readonly dataSourceId: string;
  readonly tag: string;
  readonly startTime: string;
  readonly endTime?: string;
  readonly detections: readonly DetectionInput[];
}

interface UpdateTrackInput {
  readonly id: string;
  readonly endTime: string;
  readonly detections: readonly DetectionInput[];
}

export type Mutation =
  | { readonly field: "createTrack"; readonly input: CreateTrackInput }
  | { readonly field: "createDetections"; readonly input: readonly CreateDetectionInput[] }
  | { readonly field: "updateTrack"; readonly input: UpdateTrackInput };

/** One mutation, with the tracks and the period (ms since the epoch) of its detections. */
export interface ImportStep {
  readonly mutation: Mutation;
  readonly trackIds: ReadonlySet<string>;
  readonly from: number;
  readonly to: number;
  readonly detections: number;
}

/** A file's track numbers are unique only within one recording of one data source. */
export interface Recording {
  readonly dataSourceId: string;
  readonly recording: string;
}

export interface PlanOptions extends Recording {
  /** Time of frame `baseFrame`, ms since the epoch. */
  readonly start: number;
  readonly baseFrame: number;
  readonly fps: number;
  readonly maxDetections: number;
  /**
   * Longest span of event time in one createDetections, ms. It bounds the wait for further detections when the
   * recording's pace is kept.
   */
  readonly maxSpanMs: number;
}

/** Each frame's time is rounded by itself, so errors do not add up. */
export const frameTime = ({ start, baseFrame, fps }: Pick<PlanOptions, "start" | "baseFrame" | "fps">, frame: number) =>
  start + Math.round(((frame - baseFrame) * 1_000) / fps);

/** The same recording in the same data source always gives the same tracks, so importing again adds nothing. */
export const importedTrackId = ({ dataSourceId, recording }: Recording, fileId: number): string =>
  derivedId("imported-track", dataSourceId, recording, String(fileId));

interface Life {
  readonly trackId: string;
  readonly first: number;
  last: number;
}

/** First detection of a track -> createTrack, last -> updateTrack with its end, those between -> createDetections. */
export function* planSteps(rows: TrackerRowTable, options: PlanOptions): Generator<ImportStep> {
  const lives = livesOf(rows, options);
  const middles = createBatch(options);

  for (let frameStart = 0; frameStart < rows.length; ) {
    const frame = frameOf(rows, frameStart, lives);
    const time = frameTime(options, frame.number);

    // All detections of a frame have the same time, so their order is free. With births first and ends last the batches
    // between are the longest.
    if (frame.births.length > 0) yield* middles.flush();
    for (const born of frame.births) yield birth(born, time, options.dataSourceId);
    for (const seen of frame.middles) yield* middles.add(seen, time);
    if (frame.ends.length > 0) yield* middles.flush();
    for (const ended of frame.ends) yield end(ended, time);
    frameStart = frame.next;
  }
  yield* middles.flush();
}

function livesOf(rows: TrackerRowTable, recording: Recording): Map<number, Life> {
  const lives = new Map<number, Life>();
  for (let index = 0; index < rows.length; index++) {
    const { fileId } = rows.row(index);
    const life = lives.get(fileId);
    if (life) life.last = index;
    else lives.set(fileId, { trackId: importedTrackId(recording, fileId), first: index, last: index });
  }
  return lives;
}

interface Seen {
  readonly row: TrackerRow;
  readonly trackId: string;
  readonly isOnly: boolean;
}

function frameOf(rows: TrackerRowTable, start: number, lives: ReadonlyMap<number, Life>) {
  const number = rows.row(start).frame;
  const frame = { number, births: [] as Seen[], middles: [] as Seen[], ends: [] as Seen[], next: start };
  for (; frame.next < rows.length; frame.next++) {
    const row = rows.row(frame.next);
    const life = lives.get(row.fileId);
    if (row.frame !== number || !life) break;
    const seen = { row, trackId: life.trackId, isOnly: life.first === life.last };
    if (life.first === frame.next) frame.births.push(seen);
    else if (life.last === frame.next) frame.ends.push(seen);
    else frame.middles.push(seen);
  }
  return frame;
}

function birth({ row, trackId, isOnly }: Seen, time: number, dataSourceId: string): ImportStep {
  const startTime = isoTime(time);
  const input: CreateTrackInput = {
    id: trackId,
    dataSourceId,
    tag: row.tag,
    startTime,
    ...(isOnly ? { endTime: startTime } : {}),
    detections: [detection(row, time)],
  };
  return single({ field: "createTrack", input }, trackId, time);
}

const end = ({ row, trackId }: Seen, time: number): ImportStep =>
  single(
    { field: "updateTrack", input: { id: trackId, endTime: isoTime(time), detections: [detection(row, time)] } },
    trackId,
    time,
  );

const single = (mutation: Mutation, trackId: string, time: number): ImportStep => ({
  mutation,
  trackIds: new Set([trackId]),
  from: time,
  to: time,
  detections: 1,
});

function createBatch({ maxDetections, maxSpanMs }: PlanOptions) {
  let input: CreateDetectionInput[] = [];
  let trackIds = new Set<string>();
  let from = 0;
  let to = 0;

  function* flush(): Generator<ImportStep> {
    if (input.length === 0) return;
    yield { mutation: { field: "createDetections", input }, trackIds, from, to, detections: input.length };
    input = [];
    trackIds = new Set();
  }

  function* add({ row, trackId }: Seen, time: number): Generator<ImportStep> {
    if (input.length >= maxDetections || time - from > maxSpanMs) yield* flush();
    if (input.length === 0) from = time;
    to = time;
    input.push({ trackId, ...detection(row, time) });
    trackIds.add(trackId);
  }

  return { add, flush };
}

function detection({ left, top, right, bottom }: TrackerRow, time: number): DetectionInput {
  const ring = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
    [left, top],
  ];
  return { timestamp: isoTime(time), polygon: { type: "Polygon", coordinates: [ring] } };
}
