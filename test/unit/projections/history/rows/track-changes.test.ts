import { expect, test } from "vitest";
import { createTrackChanges, type TrackChanges } from "../../../../../projections/history/rows/track-changes.ts";
import { tracksTable } from "../../../../../projections/history/tracks.ts";
import type { TrackCreated, TrackUpdated } from "../../../../../schemas/events.ts";
import { trackCreated, trackUpdated } from "../../../../support/scenes/feed-events.ts";

const at = (offset: number) => ({ partition: 3, offset, recordedAt: 1_000 + offset });

const created = (changes: Partial<TrackCreated> = {}) =>
  trackCreated("t", { dataSourceId: "d", tag: "car", startTime: 100, ...changes });

const updated = (changes: Partial<TrackUpdated> = {}) => trackUpdated("t", { dataSourceId: "d", ...changes });

function rowOf(...steps: ((changes: TrackChanges) => void)[]): Record<string, unknown> {
  const changes = createTrackChanges();
  for (const step of steps) step(changes);
  const rows = changes.changes().map(tracksTable.row);
  expect(rows).toHaveLength(1);
  return Object.fromEntries(tracksTable.columns.map((column, i) => [column, rows[0]?.[i]]));
}

const value = (row: Record<string, unknown>, column: string): unknown => (row[column] as unknown[]).slice(1);

test("the last update of a member wins, whatever the order of arrival", () => {
  const steps = [
    (c: TrackChanges) => c.created(created(), at(1)),
    (c: TrackChanges) => c.updated(updated({ tag: "bus" }), at(2)),
    (c: TrackChanges) => c.updated(updated({ tag: "van", metadata: "{}" }), at(3)),
  ];
  const row = rowOf(...steps);

  expect(rowOf(...steps.toReversed())).toEqual(row);
  expect(rowOf(...steps, ...steps)).toEqual(row);
  expect(value(row, "header_tag")).toEqual(["van"]);
  expect(value(row, "header_start")).toEqual([100]);
});

test("a creation that is repeated after an update changes nothing", () => {
  const row = rowOf(
    (c) => c.created(created({ metadata: "1", endTime: 500 }), at(1)),
    (c) => c.updated(updated({ tag: "bus", cleared: ["endTime", "metadata"] }), at(2)),
    (c) => c.created(created({ tag: "truck", startTime: 7, endTime: 500, metadata: "1" }), at(3)),
  );

  expect(value(row, "header_tag")).toEqual(["bus"]);
  expect(value(row, "header_start")).toEqual([100]);
  expect(value(row, "explicit_end")).toEqual([false, 0]);
  expect(value(row, "header_metadata")).toEqual([null]);
});

test("what nobody has said has rank 0", () => {
  const row = rowOf((c) => c.detected("d", "t", 250, at(9)));

  for (const column of ["header_tag", "header_start", "explicit_end", "expired_end", "header_properties"]) {
    expect((row[column] as unknown[])[0]).toBe(0);
  }
  expect(row).toMatchObject({ first_detection_at: 250, last_detection_at: 250, last_offset: 9, partition: 3 });
});

test("detections widen the time in which the track was seen, in any order", () => {
  const row = rowOf(
    (c) => c.detected("d", "t", 300, at(4)),
    (c) => c.detected("d", "t", -100, at(2)),
    (c) => c.ended({ trackId: "t", dataSourceId: "d", endTime: 300, reason: "expired", readUpTo: null }, at(5)),
  );

  expect(row).toMatchObject({ first_detection_at: -100, last_detection_at: 300, created_at: 1_002, updated_at: 1_005 });
  expect(value(row, "expired_end")).toEqual([300]);
});

test("an expiry is as old as what it was concluded from, wherever it stands", () => {
  const expiry = (endTime: number, readUpTo: number) => (offset: number) => (c: TrackChanges) =>
    c.ended({ trackId: "t", dataSourceId: "d", endTime, reason: "expired", readUpTo }, at(offset));
  const [early, late] = [expiry(300, 4), expiry(400, 6)];
  const explicit = (c: TrackChanges) => c.updated(updated({ endTime: 450 }), at(7));

  const inTurn = rowOf(early(5), late(8), explicit);
  const lateFirst = rowOf(late(8), early(9), explicit);

  expect(value(inTurn, "expired_end")).toEqual([400]);
  expect(value(lateFirst, "expired_end")).toEqual([400]);
  const rankOf = (column: string) => Number((inTurn[column] as unknown[])[0]);
  expect(rankOf("expired_end")).toBeLessThan(rankOf("explicit_end"));
});

test("tracks of the same name under two data sources stay apart", () => {
  const changes = createTrackChanges();
  changes.detected("d1", "t", 1, at(1));
  changes.detected("d2", "t", 2, at(2));

  expect(changes.changes().map(({ dataSourceId, trackId }) => `${dataSourceId}/${trackId}`)).toEqual(["d1/t", "d2/t"]);
});
