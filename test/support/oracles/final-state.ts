// The state in which a disturbed system must end: nothing lost, nothing twice, in the tables, the topics and Redis.
import assert from "node:assert/strict";
import { type Inspector, openInspector } from "../clients/final-state-inspector.ts";
import { intersectionsInClickHouse, readDetections } from "../clients/history-reader.ts";
import type { PreparedSystem } from "../running/launch-system.ts";
import { settled } from "../running/settled.ts";
import { oracleOf, type StageCamera } from "../scenes/play-scene.ts";
import { firstDifference, firstUnequal } from "./compare.ts";
import { foldedLog, readGeofences, storedState } from "./final-state-live.ts";

export interface FinalState {
  readonly detections: number;
  readonly tracks: number;
  readonly intersections: number;
  /** In zone-intersections. */
  readonly messages: number;
}

/**
 * Rejects with the first difference. `ttlMs`: the system's setting; `settleMs`: the time that it may take to catch
 * up.
 */
export async function expectUndisturbed(
  system: PreparedSystem,
  stage: readonly StageCamera[],
  ttlMs: number,
  settleMs?: number,
): Promise<FinalState> {
  const inspector = await openInspector(system);
  try {
    await inspector.settled(settleMs);
    const detections = await expectDetections(inspector, system, stage);
    assert.deepEqual(await tracksInClickHouse(inspector, stage), expectedTracks(stage));
    const stored = await intersectionsInClickHouse(system.env, idsOf(stage));
    const difference = firstDifference({ oracle: oracleOf(stage, ttlMs), stored });
    assert.ok(difference === undefined, difference);
    const messages = await expectOutputsOnce(inspector);
    await expectGeofencesEverywhere(inspector);
    const asOf = Date.now();
    const unequal = firstUnequal(await storedState(inspector, asOf), await foldedLog(inspector, ttlMs, asOf));
    assert.ok(unequal === undefined, `live state in Redis, and the log folded at once: ${unequal}`);
    return { detections, tracks: expectedTracks(stage).length, intersections: stored.length, messages };
  } finally {
    await inspector.close();
  }
}

/** The writer of a geofence may have died before it had told every partition; then their owners do. */
async function expectGeofencesEverywhere(inspector: Inspector): Promise<void> {
  const newest = (await readGeofences(inspector)).newest();
  const behind = async () => {
    const known = await inspector.geofencesUpTo();
    return known.filter((upTo) => upTo < newest);
  };
  await settled(async () => (await behind()).length === 0);
  assert.deepEqual(await behind(), [], `partitions that have not heard of the change at ${newest} of the catalog`);
}

const idsOf = (stage: readonly StageCamera[]): string[] => stage.map(({ dataSourceId }) => dataSourceId);

/** Through the API and in the table. */
async function expectDetections({ clickhouse }: Inspector, { client }: PreparedSystem, stage: readonly StageCamera[]) {
  const accepted = stage.flatMap(({ camera }) => camera.detections).map(keyOf);
  const dataSourceIds = idsOf(stage);
  assert.deepEqual((await readDetections(client, { dataSourceIds })).map(keyOf).sort(), accepted.sort());
  const rows = await clickhouse.query({
    query: `SELECT count() AS rows, uniqExact(track_id, timestamp) AS detections FROM detections_v1 FINAL
      WHERE data_source_id IN {dataSourceIds: Array(String)}`,
    query_params: { dataSourceIds },
    format: "JSONEachRow",
  });
  const count = String(accepted.length);
  assert.deepEqual(await rows.json(), [{ rows: count, detections: count }]);
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

async function tracksInClickHouse({ clickhouse }: Inspector, stage: readonly StageCamera[]): Promise<TrackRow[]> {
  const times = { start: "start_time", end: "end_time", first: "first_detection_at", last: "last_detection_at" };
  const columns = Object.entries(times).map(([name, column]) => `toUnixTimestamp64Milli(${column}) AS ${name}`);
  const rows = await clickhouse.query({
    query: `SELECT track_id AS trackId, data_source_id AS dataSourceId, tag, ${columns.join(", ")}
      FROM tracks_current_v1 WHERE data_source_id IN {dataSourceIds: Array(String)} ORDER BY trackId`,
    query_params: { dataSourceIds: idsOf(stage) },
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

/**
 * No output twice, and every intersection begins with its one START. Resolves with the number of intersection
 * messages.
 */
async function expectOutputsOnce(inspector: Inspector): Promise<number> {
  const outputs = await inspector.outputIds();
  assert.notEqual(outputs.length, 0, "the state machine has written nothing");
  assert.deepEqual(twice(outputs), [], "outputs that stand twice in the topics");
  const changes = await inspector.changes();
  const causes = changes.map(({ cause }) => `${cause.partition}/${cause.offset}/${cause.index}`);
  assert.deepEqual(twice(causes), [], "causes that stand twice in zone-intersections");
  const reported = new Map<string, string[]>();
  for (const { intersectionId, state } of changes) {
    const states = reported.get(intersectionId);
    if (states === undefined) reported.set(intersectionId, [state]);
    else states.push(state);
  }
  const wrong = [...reported].filter(([, states]) => states.lastIndexOf("START") !== 0 || states.at(-1) !== "END");
  assert.deepEqual(wrong, [], "intersections that are not told from one START to an END");
  return changes.length;
}

function twice(ids: readonly string[]): string[] {
  const seen = new Set<string>();
  return ids.filter((id) => seen.has(id) || !seen.add(id));
}
