import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Inspector } from "../support/clients/final-state-inspector.ts";
import { quickSettings } from "../support/running/final-state-settings.ts";
import { processEnv } from "../support/running/processes.ts";
import { useStack } from "../support/running/stack.ts";
import { FEW_INSERTS, inspect, startSystem } from "../support/running/system.ts";
import { startLoad } from "../support/scenes/load.ts";

const REBUILD = fileURLToPath(new URL("../../services/projector/rebuild.ts", import.meta.url));

/** In the order of their sorting keys. */
const TABLES = {
  detections_v1: "data_source_id, timestamp, track_id",
  tracks_v1: "data_source_id, track_id",
  zone_intersections_v1: "zone_id, start_time, intersection_id",
};

test("the log projected into fresh tables gives the rows of the tables that grew with it", async () => {
  const system = await startSystem({ ...FEW_INSERTS, ...(await quickSettings(useStack().env)) });
  const inspector = await inspect(system);
  const load = await startLoad(system.client, { seed: 41, pauseMs: 5, seconds: 40 });
  // The tables to compare with come from other batches than those of an undisturbed run.
  await system.restart("projector");
  load.hurry();
  await load.done;
  await inspector.settled();

  const database = `${system.namespace}_rebuilt`;
  const env = { ...processEnv, ...system.env };
  await promisify(execFile)(process.execPath, [REBUILD, "--database", database], { env });

  for (const table of Object.keys(TABLES) as (keyof typeof TABLES)[]) {
    const grown = await rowsOf(inspector, system.namespace, table);
    expect(grown.length).toBeGreaterThan(0);
    expect(await rowsOf(inspector, database, table)).toEqual(grown);
  }
});

/** Whole rows as text, without rows that ClickHouse has yet to merge away. */
async function rowsOf({ clickhouse }: Inspector, database: string, table: keyof typeof TABLES): Promise<string[]> {
  const query = `SELECT * FROM ${database}.${table} FINAL ORDER BY ${TABLES[table]}`;
  const result = await clickhouse.query({ query, format: "JSONEachRow" });
  return (await result.text()).trimEnd().split("\n");
}
