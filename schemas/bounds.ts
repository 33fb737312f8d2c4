// Settings that bound what an event may contain. Every process must have the same ones: then the API accepts nothing
// that a reader of the log refuses, and all readers accept the same events.
import { z } from "zod";

const atLeast = (min: number, fallback: number) =>
  z.coerce
    .number()
    .int()
    .min(min)
    .max(Number.MAX_SAFE_INTEGER)
    .default(fallback)
    .describe(`a whole number of at least ${min}`);

/** The smallest polygon is a triangle, closed. */
const vertices = (fallback: number) => atLeast(4, fallback);

export const eventBoundsEnv = z.object({
  MAX_FUTURE_MS: atLeast(0, 300_000).meta({
    about:
      "Time by which a timestamp may exceed the time of recording. A later timestamp would end all tracks " +
      "of its data source.",
  }),
  MAX_DETECTION_VERTICES: vertices(256).meta({
    about: "Vertices of one detection's polygon, all rings together, closing points included.",
  }),
  MAX_ZONE_VERTICES: vertices(10_000).meta({ about: "Vertices of one zone, counted like those of a detection." }),
  MAX_DATA_SOURCE_VERTICES: vertices(64_000).meta({
    about: "Vertices of all zones of one data source together, because a detection may be in all of them.",
  }),
});

export interface EventBounds {
  readonly maxFutureMs: number;
  readonly maxDetectionVertices: number;
  readonly maxZoneVertices: number;
  readonly maxDataSourceVertices: number;
  /** Partitions of the topics with a key. Without this number no message's partition is checked. */
  readonly keyedPartitions?: number;
}

type EventBoundsEnv = z.output<typeof eventBoundsEnv> & { readonly CAMERA_PARTITIONS?: number };

export const eventBoundsOf = (env: EventBoundsEnv): EventBounds => ({
  maxFutureMs: env.MAX_FUTURE_MS,
  maxDetectionVertices: env.MAX_DETECTION_VERTICES,
  maxZoneVertices: env.MAX_ZONE_VERTICES,
  maxDataSourceVertices: env.MAX_DATA_SOURCE_VERTICES,
  ...(env.CAMERA_PARTITIONS === undefined ? {} : { keyedPartitions: env.CAMERA_PARTITIONS }),
});

/** Vertices of a polygon with flat rings. */
export function countVertices(rings: readonly (readonly number[])[]): number {
  let count = 0;
  for (const ring of rings) count += ring.length >> 1;
  return count;
}
