// Plays a generated scene through the GraphQL API as its cameras would: all cameras at once, each in the order of its
// deliveries.
import { documentOf, MUTATIONS_PER_DOCUMENT, mutationOf } from "../../../services/cli/demo/live/mutations.ts";
import { boxRing } from "../../../services/cli/demo/scene/scene.ts";
import type { CameraDelivery, Scene, SceneCamera, SceneDetection } from "../../../services/cli/demo/scene/types.ts";
import type { GraphQLClient } from "../clients/graphql-client.ts";
import { expectedIntersections, type OracleDetection } from "../oracles/oracle.ts";

export interface StageCamera {
  readonly camera: SceneCamera;
  readonly dataSourceId: string;
  /** The ids of the zones by their names in the scene. */
  readonly zoneIds: ReadonlyMap<string, string>;
}

/** A data source per camera, with its zones. */
export function createStage(client: GraphQLClient, scene: Scene): Promise<StageCamera[]> {
  return Promise.all(scene.cameras.map((camera) => createCamera(client, camera)));
}

/** Resolves with the log position of everything that was played, in the form of x-min-position. */
export async function playScene(client: GraphQLClient, stage: readonly StageCamera[]): Promise<string> {
  const positions = await Promise.all(stage.map((camera) => playCamera(client, camera)));
  return positions.join(",");
}

/** One mutation by itself. Resolves with its log position. */
export const playDelivery = (client: GraphQLClient, delivery: CameraDelivery, dataSourceId: string): Promise<string> =>
  playDeliveries(client, [delivery], dataSourceId);

/** A mutation each, in one document. Resolves with the log position of the last. */
export const playDeliveries = (
  client: GraphQLClient,
  deliveries: readonly CameraDelivery[],
  dataSourceId: string,
): Promise<string> =>
  mutate(
    client,
    deliveries.map((delivery) => mutationOf(delivery, dataSourceId)),
  );

/**
 * A track outside of every zone, `laterMs` after all others: later by the reorder time it leaves nothing of them held.
 * Resolves with the log position.
 */
export async function sendLastTracks(client: GraphQLClient, stage: readonly StageCamera[], laterMs: number) {
  const positions = await Promise.all(
    stage.map(({ camera, dataSourceId }) => {
      const newest = Math.max(
        ...camera.tracks.map((track) => track.endTime ?? track.detections.at(-1)?.timestamp ?? 0),
      );
      const at = new Date(newest + laterMs).toISOString();
      const polygon = { coordinates: [boxRing({ trackId: "", timestamp: 0, box: [-9_010, -9_010, -9_000, -9_000] })] };
      const track = {
        dataSourceId,
        tag: "farewell",
        startTime: at,
        endTime: at,
        detections: [{ timestamp: at, polygon }],
      };
      return mutate(client, [{ field: "createTrack", argument: "track", type: "CreateTrackInput!", value: track }]);
    }),
  );
  return positions.join(",");
}

/** The intersections of the scene's cameras by brute force. `kept`: the detections that count, if not all do. */
export function oracleOf(
  stage: readonly StageCamera[],
  ttlMs: number,
  kept: (camera: SceneCamera) => readonly SceneDetection[] = ({ detections }) => detections,
) {
  return stage.flatMap(({ camera, zoneIds }) =>
    expectedIntersections({
      detections: kept(camera).map(toOracle),
      zones: camera.zones.map(({ name, rings }) => ({ zoneId: zoneIds.get(name) ?? name, rings })),
      endTimes: new Map(
        camera.tracks.flatMap(({ trackId, endTime }) => (endTime === undefined ? [] : [[trackId, endTime]])),
      ),
      ttlMs,
    }),
  );
}

const toOracle = (detection: SceneDetection): OracleDetection => ({ ...detection, ring: boxRing(detection) });

async function createCamera(client: GraphQLClient, camera: SceneCamera): Promise<StageCamera> {
  const { createDataSource } = await client.ask<{ createDataSource: { id: string } }>(
    "mutation ($dataSource: CreateDataSourceInput!) { createDataSource(dataSource: $dataSource) { id } }",
    { dataSource: { name: camera.name, type: "VIDEO_DEVICE" } },
  );
  const dataSourceId = createDataSource.id;
  const zoneIds = new Map<string, string>();
  for (const { name, rings } of camera.zones) {
    const { createZone } = await client.ask<{ createZone: { id: string } }>(
      "mutation ($zone: CreateZoneInput!) { createZone(zone: $zone) { id } }",
      { zone: { dataSourceId, name, polygon: { coordinates: rings } } },
    );
    zoneIds.set(name, createZone.id);
  }
  return { camera, dataSourceId, zoneIds };
}

async function playCamera(client: GraphQLClient, { camera, dataSourceId }: StageCamera): Promise<string> {
  const { deliveries } = camera;
  let position = "";
  for (let next = 0; next < deliveries.length; next += MUTATIONS_PER_DOCUMENT) {
    position = await playDeliveries(client, deliveries.slice(next, next + MUTATIONS_PER_DOCUMENT), dataSourceId);
  }
  return position;
}

async function mutate(client: GraphQLClient, mutations: Parameters<typeof documentOf>[0]): Promise<string> {
  const { query, variables } = documentOf(mutations);
  const { errors, extensions } = await client.send(query, variables);
  if (errors !== undefined) throw new Error(`answered with ${JSON.stringify(errors)}`);
  return extensions?.position ?? "";
}
