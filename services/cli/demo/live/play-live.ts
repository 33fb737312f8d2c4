// Plays generated scenes at their own pace, one after the other, while somebody looks.
import type { ImportClient } from "../../import/client.ts";
import { ensureDataSource, ensureZones } from "../../import/set-up.ts";
import { createScene } from "../scene/scene.ts";
import type { CameraDelivery, SceneCamera } from "../scene/types.ts";
import { dataSourceName } from "../scene-files.ts";
import { documentOf, MUTATIONS_PER_DOCUMENT, mutationOf } from "./mutations.ts";

export interface LiveDemo {
  readonly client: ImportClient;
  readonly cameras: number;
  readonly walkersPerCamera: number;
  readonly fps: number;
  /** Whether somebody looks at the cameras. */
  readonly isWatched: () => Promise<boolean>;
  /** Resolves after this time, or when `signal` aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** Then all walkers leave, and others come. */
const SCENE_SECONDS = 600;
/** A picture is alive within two seconds after somebody has opened it. */
const WATCH_EVERY_MS = 500;

/** Resolves when the signal aborts. @throws ImportError when the API refuses what it gets. */
export async function playLive(demo: LiveDemo): Promise<void> {
  const { isWatched, pause, signal } = demo;
  while (!signal.aborted) {
    if (await isWatched()) await playOneScene(demo);
    else await pause(WATCH_EVERY_MS, signal);
  }
}

/** Ends early when nobody looks any more. The tracks that are then open end as those of a camera that is cut off. */
async function playOneScene(demo: LiveDemo): Promise<void> {
  const { cameras, walkersPerCamera, fps, now, isWatched, pause } = demo;
  const start = now();
  const options = { seed: Math.floor(start / 1_000), cameras, walkersPerCamera, fps, start, seconds: SCENE_SECONDS };
  const scene = createScene(options);
  const over = new AbortController();
  const signal = AbortSignal.any([demo.signal, over.signal]);
  const playing = scene.cameras.map((camera) => playCamera({ ...demo, signal }, camera));
  const watching = (async () => {
    while (!signal.aborted && (await isWatched())) await pause(WATCH_EVERY_MS, signal);
    over.abort();
  })();
  try {
    await Promise.all(playing);
  } finally {
    over.abort();
    await watching;
  }
}

async function playCamera({ client, now, pause, signal }: LiveDemo, camera: SceneCamera): Promise<void> {
  const dataSourceId = await ensureDataSource(client, dataSourceName(camera));
  const zones = camera.zones.map(({ name, rings }) => ({ name, coordinates: rings }));
  await ensureZones(client, dataSourceId, zones);
  for (const deliveries of together(camera.deliveries)) {
    await pause(Math.max(0, (deliveries[0]?.deliverAt ?? 0) - now()), signal);
    if (signal.aborted) return;
    await client.request(documentOf(deliveries.map((delivery) => mutationOf(delivery, dataSourceId))));
  }
}

/** Groups the deliveries of one moment. */
export function* together(deliveries: readonly CameraDelivery[]): Generator<readonly CameraDelivery[]> {
  let group: CameraDelivery[] = [];
  for (const delivery of deliveries) {
    const fits = group[0]?.deliverAt === delivery.deliverAt && group.length < MUTATIONS_PER_DOCUMENT;
    if (group.length > 0 && !fits) {
      yield group;
      group = [];
    }
    group.push(delivery);
  }
  if (group.length > 0) yield group;
}
