// Inputs of createDetections as JSON has them.
export const ring = [
  [0, 0],
  [2, 0],
  [2, 2],
  [0, 0],
];

export const usual = { trackId: "t", timestamp: "2026-01-01T00:00:00Z" };

/** Usual and unusual, good and bad. */
export const detectionInputs: readonly unknown[] = [
  usual,
  { ...usual, polygon: { type: "Polygon", coordinates: [ring] } },
  { ...usual, polygon: { coordinates: [ring, ring] } },
  { ...usual, polygon: { coordinates: [[[1, 2, 3]]], crs: { properties: { name: "x" } } } },
  { ...usual, polygon: { coordinates: 5 } },
  { ...usual, polygon: { coordinates: [] } },
  { ...usual, polygon: { coordinates: [[["1", 2]]] } },
  { ...usual, polygon: { coordinates: [[[Number.NaN, 2]]] } },
  { ...usual, polygon: { coordinates: [[[Number.POSITIVE_INFINITY, 2]]] } },
  { ...usual, polygon: { coordinates: [[null]] } },
  { ...usual, polygon: { type: null, coordinates: [ring] } },
  { ...usual, polygon: { type: 3, coordinates: [ring] } },
  { ...usual, polygon: { coordinates: [ring], other: 1 } },
  { ...usual, polygon: null, position: null, direction: null, metadata: null },
  { ...usual, position: { coordinates: [4.5, 50.1] } },
  { ...usual, position: { type: "Point", coordinates: [4.5, 50.1, 3] } },
  { ...usual, direction: 400, metadata: { a: [1, { b: null }] } },
  { ...usual, direction: "north" },
  { ...usual, metadata: "text" },
  { ...usual, trackId: 17 },
  { ...usual, trackId: 1.5 },
  { ...usual, trackId: null },
  { ...usual, timestamp: "2026-01-01T00:00:00" },
  { ...usual, timestamp: 5 },
  { trackId: "t" },
  { timestamp: usual.timestamp },
  { ...usual, unknown: 1 },
  null,
  "text",
  [usual],
  [],
];
