// Turns sorted rows into the mutations that send them in time order. Pure and lazy: one step exists at a time.
import { derivedId, isoTime } from "../../../schemas/identity.ts";
import type { Row } from "./formats/format.ts";
import type { RowTable } from "./row-table.ts";

/** Inputs as GraphQL wants them: spec sections 2.4 and 2.7, reference section 6. */
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
export interface Step {
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
  /** ms since the epoch of frame `baseFrame`. */
  readonly start: number;
  readonly baseFrame: number;
  readonly fps: number;
  readonly maxDetections: number;
  /** Longest event time, in ms, of one createDetections; bounds the wait when the recording's pace is kept. */
  readonly maxSpanMs: number;
}

/** Each frame's time is rounded by itself, so errors do not add up. */
export const frameTime = ({ start, baseFrame, fps }: Pick<PlanOptions, "start" | "baseFrame" | "fps">, frame: number) =>
  start + Math.round(((frame - baseFrame) * 1_000) / fps);

/** The same recording in the same data source always gives the same tracks, so importing again doubles nothing. */
export const importedTrackId = ({ dataSourceId, recording }: Recording, fileId: number): string =>
  derivedId("imported-track", dataSourceId, recording, String(fileId));

interface Life {
  readonly trackId: string;
  readonly first: number;
  last: number;
}

/** First detection of a track -> createTrack, last -> updateTrack with its end, those between -> createDetections. */
export function* planSteps(rows: RowTable, options: PlanOptions): Generator<Step> {
  const lives = livesOf(rows, options);
  const middles = createBatch(options);

  for (let frameStart = 0; frameStart < rows.length; ) {
    const frame = frameOf(rows, frameStart, lives);
    const time = frameTime(options, frame.number);

    // Within a frame all have the same time: births first and ends last leave the longest batches between.
    if (frame.births.length > 0) yield* middles.flush();
    for (const born of frame.births) yield birth(born, time, options.dataSourceId);
    for (const seen of frame.middles) yield* middles.add(seen, time);
    if (frame.ends.length > 0) yield* middles.flush();
    for (const ended of frame.ends) yield end(ended, time);
    frameStart = frame.next;
  }
  yield* middles.flush();
}

function livesOf(rows: RowTable, recording: Recording): Map<number, Life> {
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
  readonly row: Row;
  readonly trackId: string;
  readonly isOnly: boolean;
}

function frameOf(rows: RowTable, start: number, lives: ReadonlyMap<number, Life>) {
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

function birth({ row, trackId, isOnly }: Seen, time: number, dataSourceId: string): Step {
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

const end = ({ row, trackId }: Seen, time: number): Step =>
  single(
    { field: "updateTrack", input: { id: trackId, endTime: isoTime(time), detections: [detection(row, time)] } },
    trackId,
    time,
  );

const single = (mutation: Mutation, trackId: string, time: number): Step => ({
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

  function* flush(): Generator<Step> {
    if (input.length === 0) return;
    yield { mutation: { field: "createDetections", input }, trackIds, from, to, detections: input.length };
    input = [];
    trackIds = new Set();
  }

  function* add({ row, trackId }: Seen, time: number): Generator<Step> {
    if (input.length >= maxDetections || time - from > maxSpanMs) yield* flush();
    if (input.length === 0) from = time;
    to = time;
    input.push({ trackId, ...detection(row, time) });
    trackIds.add(trackId);
  }

  return { add, flush };
}

function detection({ left, top, right, bottom }: Row, time: number): DetectionInput {
  const ring = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
    [left, top],
  ];
  return { timestamp: isoTime(time), polygon: { type: "Polygon", coordinates: [ring] } };
}
