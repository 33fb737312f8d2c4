import type { GraphQLClient } from "../support/clients/graphql-client.ts";
import { patientClient } from "../support/scenes/load.ts";

/** A data source and a track in it, both of that name; asks until both exist. `startTime`: ms since the epoch. */
export async function createTrack(
  impatient: GraphQLClient,
  name: string,
  startTime: number,
): Promise<{ readonly dataSourceId: string; readonly trackId: string }> {
  const client = patientClient(impatient);
  const { createDataSource } = await client.ask<{ createDataSource: { id: string } }>(
    "mutation ($name: String!) { createDataSource(dataSource: { name: $name, type: VIDEO_DEVICE }) { id } }",
    { name },
  );
  const dataSourceId = createDataSource.id;
  const track = { dataSourceId, tag: name, startTime: new Date(startTime).toISOString(), detections: [] };
  const created = await client.ask<{ createTrack: { id: string } }>(
    "mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }",
    { track },
  );
  return { dataSourceId, trackId: created.createTrack.id };
}
