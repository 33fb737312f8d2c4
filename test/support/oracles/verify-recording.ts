// One tracker file through the whole system, by the import command itself, and through brute force.
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { importedTrackId } from "../../../services/cli/import/plan.ts";
import { endOfLog, intersectionsInClickHouse, readDetections, readIntersections } from "../clients/history-reader.ts";
import { listen } from "../clients/subscriber-stays.ts";
import type { System } from "../running/launch-system.ts";
import { until } from "../running/processes.ts";
import { settled } from "../running/settled.ts";
import { type Recorded, recordedZones, START, timeOf } from "../scenes/recorded-camera.ts";
import { readRecording, type Sighting } from "../scenes/recording.ts";
import { type TestZone, zonesGeoJson } from "../scenes/zones-for.ts";
import { firstDifference } from "./compare.ts";
import { expectedIntersections } from "./oracle.ts";
import { verifyReplays } from "./verify-replays.ts";
import { verifySnapshots } from "./verify-snapshots.ts";
import { verifyTrials } from "./verify-trials.ts";

/** A row of the table. */
export interface Verdict {
  readonly file: string;
  readonly tracks: number;
  readonly detections: number;
  readonly zones: number;
  readonly clickhouse: number;
  readonly subscriber: number;
  readonly oracle: number;
  /** Compared, with closest frames. */
  readonly snapshots: number;
  /** Intersections of trials of all zones, compared with those of the history. */
  readonly trials: number;
  /** Signals of replays, compared with the live ones. */
  readonly replays: number;
  readonly equal: "yes" | "no";
  /** From the start of the import until everything could be queried. */
  readonly seconds: number;
  readonly difference: string | undefined;
}

interface Places {
  readonly from: string;
  readonly scratch: string;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));

export async function verifyRecording(system: System, recorded: Recorded, places: Places): Promise<Verdict> {
  const file = join(places.from, recorded.name);
  const sightings = await readRecording(file, recorded.format);
  const zones = recordedZones(sightings);
  const listener = await listen(system);

  const startedAt = performance.now();
  await runImport(system, { ...recorded, file, zonesFile: await writeZones(places.scratch, zones) });
  const { dataSourceId, zoneIds } = await readStage(system, recorded.name);
  const asked = { dataSourceIds: [dataSourceId], minPosition: await endOfLog(system.env), pageSize: 500 };
  const history = await until(() => readIntersections(system.client, asked));
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;

  const own = new Set(zoneIds.values());
  await settled(() => firstDifference({ history, subscriber: listener.stays(own) }) === undefined);
  const subscriber = listener.stays(own);
  listener.stop();
  const clickhouse = await intersectionsInClickHouse(system.env, [dataSourceId]);
  const input = oracleInput(sightings, recorded, { dataSourceId, zones, zoneIds });
  const oracle = expectedIntersections(input);
  const stored = await readDetections(system.client, asked);
  const snapshots = await verifySnapshots(system, { ...input, stays: oracle });
  const tried = [...zoneIds.values()].map((zoneId) => ({ dataSourceId, zoneId }));
  const trials = await verifyTrials(system.client, tried, history);
  const replays = verifyReplays(sightings, recorded.fps, zones);
  const difference =
    firstDifference({ oracle, clickhouse, history, subscriber }) ??
    listener.faults(own)[0] ??
    (stored.length === sightings.length
      ? undefined
      : `${stored.length} of ${sightings.length} detections are stored`) ??
    snapshots.difference ??
    trials.difference ??
    replays.difference;
  return {
    file: recorded.name,
    tracks: new Set(sightings.map(({ fileId }) => fileId)).size,
    detections: sightings.length,
    zones: zones.length,
    clickhouse: clickhouse.length,
    subscriber: subscriber.length,
    oracle: oracle.length,
    snapshots: snapshots.compared,
    trials: trials.tried,
    replays: replays.signals,
    equal: difference === undefined ? "yes" : "no",
    seconds,
    difference,
  };
}

async function writeZones(scratch: string, zones: readonly TestZone[]): Promise<string> {
  const file = join(scratch, "zones.geojson");
  await writeFile(file, JSON.stringify(zonesGeoJson(zones)));
  return file;
}

async function runImport(
  { url, token }: System,
  { name, file, format, fps, zonesFile }: Recorded & { readonly file: string; readonly zonesFile: string },
): Promise<void> {
  const options = ["--format", format, "--data-source", name, "--fps", String(fps), "--start", START];
  const places = ["--recording", name, "--zones", zonesFile, "--url", url];
  const env = { ...process.env, TRACKLOG_TOKEN_ID: token.id, TRACKLOG_TOKEN_VALUE: token.value };
  const run = promisify(execFile)(
    process.execPath,
    [join(root, "services/cli/import/main.ts"), file, ...options, ...places],
    { cwd: root, env },
  );
  const { stdout } = await run;
  process.stderr.write(stdout);
}

async function readStage({ client }: System, name: string) {
  type Nodes = { readonly edges: readonly { readonly node: { readonly id: string; readonly name: string } }[] };
  const { dataSources } = await client.ask<{ dataSources: Nodes }>(
    "query ($name: String!) { dataSources(filter: { name: { eq: $name } }) { edges { node { id name } } } }",
    { name },
  );
  const dataSourceId = dataSources.edges[0]?.node.id;
  if (dataSourceId === undefined) throw new Error(`there is no data source ${name}`);
  const { zones } = await client.ask<{ zones: Nodes }>(
    "query ($id: ID!) { zones(filter: { dataSourceId: { eq: $id } }, first: 1000) { edges { node { id name } } } }",
    { id: dataSourceId },
  );
  return { dataSourceId, zoneIds: new Map(zones.edges.map(({ node }) => [node.name, node.id])) };
}

interface Imported {
  readonly dataSourceId: string;
  readonly zones: readonly TestZone[];
  /** The ids of the zones by name. */
  readonly zoneIds: ReadonlyMap<string, string>;
}

/** Every track ends with its last detection. */
function oracleInput(sightings: readonly Sighting[], recorded: Recorded, { dataSourceId, zones, zoneIds }: Imported) {
  return {
    detections: sightings.map((sighting) => {
      const [left, top, right, bottom] = sighting.box;
      return {
        trackId: importedTrackId({ dataSourceId, recording: recorded.name }, sighting.fileId),
        timestamp: timeOf(sighting, recorded),
        ring: [
          [left, top],
          [right, top],
          [right, bottom],
          [left, bottom],
          [left, top],
        ],
      };
    }),
    zones: zones.map(({ name, rings }) => ({ zoneId: zoneIds.get(name) ?? name, rings })),
  };
}
