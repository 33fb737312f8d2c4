// Tracks of a data source of its own, sent until every subscriber receives something: a subscription gets only what
// comes after the processes have read it.

import type { GraphQLClient } from "../../support/clients/graphql-client.ts";
import { until } from "../../support/running/processes.ts";
import { patientClient } from "../../support/scenes/load.ts";
import { square } from "../../support/scenes/zone.ts";

export interface EarlyTracks {
  readonly dataSourceId: string;
  readonly isEarly: (subjectId: string) => boolean;
  sendUntil(isEnough: () => boolean): Promise<void>;
}

const PREFIX = "early-";
const START = Date.parse("2026-01-01T00:00:00.000Z");
/** Longer than a track lives without detections. */
const BETWEEN_MS = 60_000;

export async function createEarlyTracks(impatient: GraphQLClient): Promise<EarlyTracks> {
  const client = patientClient(impatient);
  const polygon = (edge: number) => ({ coordinates: [square(edge)] });
  const { createDataSource } = await client.ask<{ createDataSource: { id: string } }>(
    'mutation { createDataSource(dataSource: { name: "early", type: VIDEO_DEVICE }) { id } }',
  );
  const dataSourceId = createDataSource.id;
  await client.ask("mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }", {
    zone: { id: `${PREFIX}zone`, dataSourceId, name: "early", polygon: polygon(10) },
  });

  return {
    dataSourceId,
    isEarly: (subjectId) => subjectId.startsWith(PREFIX),
    async sendUntil(isEnough) {
      let sent = 0;
      await until(
        async () => {
          if (isEnough()) return true;
          const at = new Date(START + sent * BETWEEN_MS).toISOString();
          const times = { startTime: at, endTime: at };
          const detections = [{ timestamp: at, polygon: polygon(5) }];
          await client.ask("mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }", {
            track: { id: `${PREFIX}${sent++}`, dataSourceId, tag: "early", ...times, detections },
          });
          return isEnough();
        },
        { pauseMs: 500 },
      );
    },
  };
}
