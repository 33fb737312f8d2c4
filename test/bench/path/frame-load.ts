// Cameras that send frames in a closed loop: each sends its next frame, one mutation, as soon as the one before is
// acknowledged. Runs as a separate process.
import { createConnection, requestOf } from "../../support/clients/raw-http.ts";
import { onLoad } from "../../support/running/load-process.ts";

export interface FrameLoad {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The ids of each camera's tracks. A frame has a detection of each. */
  readonly cameras: readonly (readonly string[])[];
  readonly seconds: number;
}

export interface FrameLoadResult {
  /** Acknowledged. */
  readonly frames: number;
  readonly seconds: number;
  /** The last answer of each camera. */
  readonly lastAnswers: readonly string[];
  /** The first answer that was not 200 or had errors. */
  readonly failure: string | undefined;
}

const DOCUMENT =
  "mutation Ingest($detections: [CreateDetectionInput!]!) { createDetections(detections: $detections) { id } }";
/** Frames of a camera that are made beforehand: it sends them forwards, then backwards, so no box jumps. */
const FRAMES = 100;
/** Detections of a camera move by so many pixels from frame to frame. */
const [STEP_X, STEP_Y] = [4, 1.5];
const [BOX_WIDTH, BOX_HEIGHT] = [42.5, 118.25];
/** Timestamps are written over it: all have the same length. */
const PLACEHOLDER = new Date(0).toISOString();

interface PreparedFrame {
  readonly request: Buffer;
  readonly timestampsAt: readonly number[];
}

async function run({ port, headers, cameras, seconds }: FrameLoad): Promise<FrameLoadResult> {
  const prepared = cameras.map((trackIds) =>
    Array.from({ length: FRAMES }, (_, n) => prepare(requestOf({ path: "/graphql", headers }, bodyOf(trackIds, n)))),
  );
  const connections = await Promise.all(cameras.map(() => createConnection(port)));
  const lastAnswers = cameras.map(() => "");
  let [frames, failure] = [0, undefined as string | undefined];
  const startedAt = performance.now();
  const deadline = startedAt + seconds * 1_000;

  async function drive(camera: number): Promise<void> {
    let at = 0;
    for (let n = 0; performance.now() < deadline && failure === undefined; n++) {
      const frame = prepared[camera]?.[there(n)];
      if (frame === undefined) return;
      at = Math.max(Date.now(), at + 1);
      const answer = await new Promise<string>((resolve) => connections[camera]?.send(stamped(frame, at), resolve));
      if (!answer.startsWith("HTTP/1.1 200") || answer.includes('"errors"')) failure ??= answer;
      else frames += 1;
      lastAnswers[camera] = answer;
    }
  }

  await Promise.all(cameras.map((_, camera) => drive(camera)));
  const lasted = (performance.now() - startedAt) / 1_000;
  for (const connection of connections) connection.close();
  return { frames, seconds: lasted, lastAnswers, failure };
}

/** The index of the n-th frame, forwards and backwards. */
function there(n: number): number {
  const at = n % (2 * FRAMES);
  return at < FRAMES ? at : 2 * FRAMES - 1 - at;
}

function bodyOf(trackIds: readonly string[], frame: number): string {
  const detections = trackIds.map((trackId, i) => {
    const left = ((i * 137.5) % 1_400) + frame * STEP_X;
    const top = ((i * 61.25) % 780) + frame * STEP_Y;
    const [right, bottom] = [left + BOX_WIDTH, top + BOX_HEIGHT];
    const ring = [[left, top], [right, top], [right, bottom], [left, bottom], [left, top]]; // biome-ignore format: one ring
    return { trackId, timestamp: PLACEHOLDER, polygon: { type: "Polygon", coordinates: [ring] } };
  });
  return JSON.stringify({ query: DOCUMENT, variables: { detections } });
}

function prepare(request: Buffer): PreparedFrame {
  const timestampsAt: number[] = [];
  for (let at = request.indexOf(PLACEHOLDER); at >= 0; at = request.indexOf(PLACEHOLDER, at + 1)) timestampsAt.push(at);
  return { request, timestampsAt };
}

/** Writes the time into the request: the camera has its answer to the last one that was sent with this buffer. */
function stamped({ request, timestampsAt }: PreparedFrame, at: number): Buffer {
  const timestamp = new Date(at).toISOString();
  for (const place of timestampsAt) request.write(timestamp, place, "latin1");
  return request;
}

onLoad(run);
