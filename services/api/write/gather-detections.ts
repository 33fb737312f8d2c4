// Detections of one data source that come with many small mutations are gathered for a moment into one event: the log
// takes a hundred detections in one message far more cheaply than a hundred messages, and so does whoever reads it.
import type { Detection } from "../../../schemas/events.ts";

export interface Gatherer<Recorded> {
  /** Resolves with what `record` says of the event that the detections became part of; rejects as it does. */
  add(dataSourceId: string, detections: readonly Detection[]): Promise<Recorded>;
}

export interface GathererOptions<Recorded> {
  /** Writes one event; the order of calls is the order in the log. */
  readonly record: (dataSourceId: string, detections: readonly Detection[]) => Promise<Recorded>;
  readonly lingerMs: number;
  /** An event with this many is not kept waiting. */
  readonly maxDetections: number;
}

interface Gathering<Recorded> {
  readonly detections: Detection[];
  readonly recorded: PromiseWithResolvers<Recorded>;
}

export function createGatherer<Recorded>(options: GathererOptions<Recorded>): Gatherer<Recorded> {
  const { record, lingerMs, maxDetections } = options;
  let gatherings = new Map<string, Gathering<Recorded>>();

  function send(dataSourceId: string, { detections, recorded }: Gathering<Recorded>): void {
    record(dataSourceId, detections).then(recorded.resolve, recorded.reject);
  }

  function sendAll(): void {
    const waiting = gatherings;
    gatherings = new Map();
    for (const [dataSourceId, gathering] of waiting) send(dataSourceId, gathering);
  }

  return {
    add(dataSourceId, detections) {
      let gathering = gatherings.get(dataSourceId);
      if (gathering === undefined) {
        if (gatherings.size === 0) setTimeout(sendAll, lingerMs);
        gathering = { detections: [], recorded: Promise.withResolvers() };
        gatherings.set(dataSourceId, gathering);
      }
      for (const detection of detections) gathering.detections.push(detection);
      if (gathering.detections.length >= maxDetections) {
        gatherings.delete(dataSourceId);
        send(dataSourceId, gathering);
      }
      return gathering.recorded.promise;
    },
  };
}
