// npm test injects each fault a few times and briefly, npm run test:faults often and for long.
import "../support/random/how-many.ts";
import { inject } from "vitest";

const extents = {
  short: {
    kills: 3,
    brokers: 1,
    handOvers: 3,
    hangs: 2,
    storms: 4,
    awayMs: 5_000,
    floodMs: 4_000,
    // The queue holds the detections of a few requests, of the hundreds that come at once: even a slow load generator
    // fills it.
    floodQueue: { API_QUEUE_BYTES: "262144", API_BATCH_BYTES: "131072", API_QUEUE_MS: "500" },
    subscribers: 100,
    healthy: 20,
    sceneSeconds: 60,
    impatientSeconds: 15,
  },
  full: {
    kills: 25,
    brokers: 3,
    handOvers: 8,
    hangs: 10,
    storms: 20,
    awayMs: 60_000,
    floodMs: 20_000,
    floodQueue: { API_QUEUE_MS: "500" },
    subscribers: 300,
    healthy: 100,
    sceneSeconds: 300,
    impatientSeconds: 150,
  },
} as const;

export const extent = extents[inject("extent")];
