// What a disturbed system must come to: nothing lost, nothing twice, in the tables, in the topics and in Redis.
import { expect } from "vitest";
import { firstDifference } from "./compare.ts";
import { type Inspector, inspect } from "./final-state-inspector.ts";
import { foldedLog, storedState } from "./final-state-live.ts";
import { intersectionsInClickHouse, readDetections } from "./history-reader.ts";
import type { System } from "./launch-system.ts";
import { oracleOf, type StageCamera } from "./play-scene.ts";

/** The whole comparison; resolves with counts for whoever wants to tell them. `ttlMs` as the system was started with. */
export async function expectUndisturbed(system: System, stage: readonly StageCamera[], ttlMs: number) {
  const inspector = await inspect(system);
  await inspector.settled();
  const dataSourceIds = stage.map(({ dataSourceId }) => dataSourceId);

  const detections = await expectDetections(inspector, system, stage);
  expect(await tracksInClickHouse(inspector)).toEqual(expectedTracks(stage));
  const oracle = oracleOf(stage, ttlMs);
  const stored = await intersectionsInClickHouse(system.env, dataSourceIds);
  expect(firstDifference({ oracle, stored })).toBeUndefined();
  const messages = await expectOutputsOnce(inspector);
  expect(await storedState(inspector)).toEqual(await foldedLog(inspector, ttlMs));
  return { detections, tracks: expectedTracks(stage).length, intersections: stored.length, messages };
}

/** Through the API and in the table. */
async function expectDetections({ clickhouse }: Inspector, { client }: System, stage: readonly StageCamera[]) {
  const accepted = stage.flatMap(({ camera }) => camera.detections).map(keyOf);
  const dataSourceIds = stage.map(({ dataSourceId }) => dataSourceId);
  expect((await readDetections(client, { dataSourceIds })).map(keyOf).sort()).toEqual(accepted.sort());
  const rows = await clickhouse.query({
    query: "SELECT count() AS rows, uniqExact(track_id, timestamp) AS detections FROM detections_v1 FINAL",
    format: "JSONEachRow",
  });
  const count = String(accepted.length);
  expect(await rows.json()).toEqual([{ rows: count, detections: count }]);
  return accepted.length;
}

const keyOf = ({ trackId, timestamp }: { trackId: string; timestamp: number }) => `${trackId}@${timestamp}`;

interface TrackRow {
  readonly trackId: string;
  readonly dataSourceId: string;
  readonly tag: string;
  readonly start: number;
  readonly end: number;
  readonly first: number;
  readonly last: number;
}

async function tracksInClickHouse({ clickhouse }: Inspector): Promise<TrackRow[]> {
  const times = { start: "start_time", end: "end_time", first: "first_detection_at", last: "last_detection_at" };
  const columns = Object.entries(times).map(([name, column]) => `toUnixTimestamp64Milli(${column}) AS ${name}`);
  const rows = await clickhouse.query({
    query: `SELECT track_id AS trackId, data_source_id AS dataSourceId, tag, ${columns.join(", ")}
      FROM tracks_current_v1 ORDER BY trackId`,
    format: "JSONEachRow",
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  return rows.json<TrackRow>();
}

/** A track without an explicit end has expired at its last detection. */
function expectedTracks(stage: readonly StageCamera[]): TrackRow[] {
  const rows = stage.flatMap(({ camera, dataSourceId }) =>
    camera.tracks.map(({ trackId, tag, detections, endTime }) => {
      const first = detections[0]?.timestamp ?? Number.NaN;
      const last = detections.at(-1)?.timestamp ?? Number.NaN;
      return { trackId, dataSourceId, tag, start: first, end: endTime ?? last, first, last };
    }),
  );
  return rows.sort((a, b) => (a.trackId < b.trackId ? -1 : 1));
}

/** No cause twice, and every intersection is told from its one START on. Resolves with the number of messages. */
async function expectOutputsOnce(inspector: Inspector): Promise<number> {
  const changes = await inspector.changes();
  const causes = changes.map(({ cause }) => `${cause.partition}/${cause.offset}/${cause.index}`);
  expect(causes.filter((cause, i) => causes.indexOf(cause) !== i)).toEqual([]);
  const told = new Map<string, string[]>();
  for (const { intersectionId, state } of changes) {
    told.set(intersectionId, [...(told.get(intersectionId) ?? []), state]);
  }
  const wrong = [...told].filter(([, states]) => states.lastIndexOf("START") !== 0 || states.at(-1) !== "END");
  expect(wrong).toEqual([]);
  return changes.length;
}
