// Cameras that send frames through GraphQL at a given rate: open loop, a slow answer does not delay the next frame.
import type { GraphQLAnswer, GraphQLClient } from "../support/clients/graphql-client.ts";

export interface Camera {
  readonly dataSourceId: string;
  trackIds: readonly string[];
  /** Timestamp of the newest frame. */
  at: number;
  frames: number;
  /** The mutation before: frames of a camera go out one after the other. */
  last: Promise<unknown>;
}

export interface Frame {
  readonly answer: GraphQLAnswer<{ readonly createDetections: readonly { readonly id: string }[] }>;
  readonly detections: number;
}

const DOCUMENT =
  "mutation ($detections: [CreateDetectionInput!]!) { createDetections(detections: $detections) { id } }";
const TICK_MS = 2;

/** Each with as many tracks as a frame is to hold detections. */
export function createCameras(client: GraphQLClient, count: number, tracks: number): Promise<Camera[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, n): Promise<Camera> => {
      const { createDataSource } = await client.ask<{ createDataSource: { id: string } }>(
        `mutation { createDataSource(dataSource: { name: "bench ${n}", type: VIDEO_DEVICE }) { id } }`,
      );
      const camera = { dataSourceId: createDataSource.id, trackIds: [], at: 0, frames: 0, last: Promise.resolve() };
      await replaceTracks(client, camera, tracks);
      return camera;
    }),
  );
}

/** Replaces the camera's tracks by new ones, as when people leave the image and others enter it. */
export async function replaceTracks(client: GraphQLClient, camera: Camera, tracks: number): Promise<void> {
  const ids: string[] = [];
  const startTime = new Date().toISOString();
  for (let i = 0; i < tracks; i++) {
    const { createTrack } = await client.ask<{ createTrack: { id: string } }>(
      "mutation ($track: CreateTrackInput!) { createTrack(track: $track) { id } }",
      { track: { dataSourceId: camera.dataSourceId, tag: "person", startTime, detections: [] } },
    );
    ids.push(createTrack.id);
  }
  camera.trackIds = ids;
}

/** One detection of each of the camera's tracks, now. */
export async function sendFrame(client: GraphQLClient, camera: Camera): Promise<Frame> {
  camera.at = Math.max(Date.now(), camera.at + 1);
  camera.frames += 1;
  const timestamp = new Date(camera.at).toISOString();
  const detections = camera.trackIds.map((trackId, i) => {
    const left = (camera.frames * 3.5 + i * 137) % 1_800;
    const top = (camera.frames * 1.25 + i * 61) % 900;
    const [right, bottom] = [left + 42.5, top + 118.25];
    const ring = [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
      [left, top],
    ];
    return { trackId, timestamp, polygon: { type: "Polygon", coordinates: [ring] } };
  });
  const answer: Frame["answer"] = await client.send(DOCUMENT, { detections });
  return { answer, detections: detections.length };
}

/** Calls `frame` for the cameras in turn, so often per second; resolves when the last call has its answer. */
export async function pace(
  cameras: readonly Camera[],
  { framesPerSecond, seconds }: { readonly framesPerSecond: number; readonly seconds: number },
  frame: (camera: Camera) => Promise<unknown>,
): Promise<void> {
  const startedAt = performance.now();
  const frames = framesPerSecond * seconds;
  for (let sent = 0; sent < frames; ) {
    const due = Math.min(frames, ((performance.now() - startedAt) / 1_000) * framesPerSecond);
    for (; sent < due; sent++) {
      const camera = cameras[sent % cameras.length];
      if (camera !== undefined) camera.last = camera.last.then(() => frame(camera));
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  await Promise.all(cameras.map(({ last }) => last));
}
