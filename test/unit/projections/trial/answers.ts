// Answers of ClickHouse about the detections of a track, made from a log without ClickHouse.
import { boxOf } from "../../../../projections/geometry/box.ts";
import { DETECTION, type TrialTrack } from "../../../../projections/history/queries/trial-rows.ts";
import { readTrialTracks } from "../../../../projections/history/queries/trial-tracks.ts";
import type { CameraLogEvent, Detection, Zone } from "../../../../schemas/events.ts";

export interface LogRow {
  readonly offset: number;
  readonly item: number;
  readonly detection: Detection;
}

export const rowsOf = (log: readonly CameraLogEvent[]): LogRow[] =>
  log.flatMap(({ type, event }, offset) =>
    type === "DetectionsRecorded" ? event.detections.map((detection, item) => ({ offset, item, detection })) : [],
  );

/** The tracks of the rows, in the order in which they come first. The rows of a track keep their order. */
export function tracksOf(rows: readonly LogRow[], tried: Zone): TrialTrack[] {
  const byTrack = Map.groupBy(rows, ({ detection }) => detection.trackId);
  const reading = readTrialTracks(
    Buffer.concat([...byTrack].map(([trackId, found]) => answerRow(trackId, found, tried))),
  );
  for (;;) {
    const step = reading.next();
    if (step.done) return step.value;
  }
}

function answerRow(trackId: string, rows: readonly LogRow[], tried: Zone): Buffer {
  const kinds = rows.map(({ detection }) => kindOf(detection, tried));
  const shapes = rows.flatMap(({ detection }, i) => shapeOf(detection.polygon?.rings ?? [], kinds[i]));
  return Buffer.concat([
    ...[lengthOf(Buffer.byteLength(trackId)), Buffer.from(trackId)],
    ...list(Float64Array.from(rows, ({ detection }) => detection.timestamp)),
    ...list(BigUint64Array.from(rows, ({ offset, item }) => (BigInt(offset) << 24n) + BigInt(item))),
    ...list(Uint8Array.from(kinds)),
    ...list(Float64Array.from(shapes)),
  ]);
}

function kindOf({ polygon }: Detection, tried: Zone): number {
  const area = boxOf(tried.polygon.rings) ?? { minX: 0, minY: 0, maxX: 0, maxY: 0 };
  const rings = polygon?.rings ?? [];
  const box = boxOf(rings);
  if (box === undefined) return DETECTION.WITHOUT_POLYGON;
  const isNear = box.maxX > area.minX && box.minX < area.maxX && box.maxY > area.minY && box.minY < area.maxY;
  if (!isNear) return DETECTION.OUTSIDE;
  return isBox(rings) ? DETECTION.NEAR_BOX : DETECTION.NEAR;
}

function isBox(rings: readonly (readonly number[])[]): boolean {
  const [[x0, y0, x1, y1, x2, y2, x3, y3, x4, y4, ...more] = []] = rings;
  const isOpposite = x1 === x2 && y1 === y0 && x3 === x0 && y3 === y2;
  return rings.length === 1 && more.length === 0 && y4 !== undefined && isOpposite && x4 === x0 && y4 === y0;
}

function shapeOf(rings: readonly (readonly number[])[], kind: number | undefined): readonly number[] {
  if (kind === DETECTION.NEAR) return [rings.length, ...rings.map((ring) => ring.length), ...rings.flat()];
  const [[x0 = 0, y0 = 0, , , x1 = 0, y1 = 0] = []] = rings;
  return kind === DETECTION.NEAR_BOX ? [x0, y0, x1, y1] : [];
}

const list = (numbers: Float64Array | BigUint64Array | Uint8Array): Buffer[] => [
  lengthOf(numbers.length),
  Buffer.from(numbers.buffer),
];

/** Seven bits in each byte, the lowest first. */
const lengthOf = (length: number): Buffer =>
  length < 128
    ? Buffer.of(length)
    : Buffer.concat([Buffer.of((length & 127) | 128), lengthOf(Math.floor(length / 128))]);
