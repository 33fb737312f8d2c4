// So many detections at once that their outputs fill several requests of one round: a track enters a zone and leaves it
// with every two detections.
import { randomUUID } from "node:crypto";
import type { Inspector } from "../../support/clients/final-state-inspector.ts";
import type { System } from "../../support/running/launch-system.ts";
import { settled } from "../../support/running/settled.ts";
import { detection } from "../../support/scenes/detection.ts";
import { patientClient } from "../../support/scenes/load.ts";
import { produce, type Reported } from "../../support/scenes/produce.ts";
import { square } from "../../support/scenes/zone.ts";
import { createTrack } from "../create-track.ts";

const STAYS = 15_000;
const PER_EVENT = 250;
const STEP_MS = 100;
const START = Date.parse("2026-01-01T00:00:00.000Z");

export interface Surge {
  /** To be called after all faults: the rows that the history lacks or has too many, if any. */
  readonly wrong: () => Promise<string | undefined>;
}

/** Resolves when the log has the message. */
export async function sendSurge(system: System, inspector: Inspector): Promise<Surge> {
  const { dataSourceId, trackId } = await createTrack(system.client, `surge-${randomUUID()}`, START);
  const { createZone } = await patientClient(system.client).ask<{ createZone: { id: string } }>(
    "mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }",
    { zone: { dataSourceId, name: "surge", polygon: { coordinates: [square(100)] } } },
  );
  await produce(
    inspector,
    Array.from({ length: (2 * STAYS) / PER_EVENT }, (_, i) => eventAt(i, dataSourceId, trackId)),
  );
  return {
    wrong: async () => {
      const read = () => staysOf(inspector, createZone.id);
      await settled(async () => (await read()) === STAYS);
      const found = await read();
      return found === STAYS ? undefined : `a surge of ${STAYS} stays left ${found}`;
    },
  };
}

function eventAt(i: number, dataSourceId: string, trackId: string): Reported {
  const detections = Array.from({ length: PER_EVENT }, (_, n) => {
    const number = i * PER_EVENT + n;
    const left = number % 2 === 0 ? 10 : 1_000;
    const polygon = { rings: [square(10, left, 10).flat()], crs: null };
    return detection({ trackId, timestamp: START + number * STEP_MS, polygon });
  });
  return { key: dataSourceId, type: "DetectionsRecorded", event: { dataSourceId, detections } };
}

/** Counts the stays that ended at the first detection outside. */
async function staysOf({ clickhouse }: Inspector, zoneId: string): Promise<number> {
  const result = await clickhouse.query({
    query: `SELECT count() AS stays FROM zone_intersections_v1 FINAL
      WHERE zone_id = {zoneId: String} AND end_time = start_time + INTERVAL {stepMs: UInt32} MILLISECOND`,
    query_params: { zoneId, stepMs: STEP_MS },
    format: "JSONEachRow",
  });
  return Number((await result.json<{ stays: string }>())[0]?.stays);
}
