// Redis keys that more than one process uses. Braces keep what is written together on one cluster slot.

/** Live state of one camera-log partition; written by the state machine only, in one atomic step with `position`. */
export function partitionKeys(namespace: string, partition: number) {
  const base = `${prefix(namespace)}sm:{p${partition}}`;
  return {
    /** Hash: `next` = camera-log offset to apply next, `intersections` = end of the partition's outputs at that time. */
    position: `${base}:position`,
    /** Hash: trackId -> state as JSON. */
    tracks: `${base}:tracks`,
    /** Hash: dataSourceId -> clock and held detections as JSON. */
    sources: `${base}:sources`,
    /** Hash: zoneId -> zone as JSON. */
    zones: `${base}:zones`,
  };
}

/** Header of a track as the API last saw it, so that an update finds its data source. */
export const trackRoutingKey = (namespace: string, trackId: string): string =>
  `${prefix(namespace)}api:track:${trackId}`;

const prefix = (namespace: string): string => (namespace === "" ? "" : `${namespace}:`);
