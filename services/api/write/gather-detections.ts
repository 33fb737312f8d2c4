// Gathers the detections that many small mutations send for one data source within a moment into one event. One message
// with a hundred detections is far cheaper than a hundred messages, for the log and for its readers.
import type { Detection } from "../../../schemas/events.ts";

export interface Gatherer<Recorded> {
  /** Resolves and rejects like `record` does for the event that contains the detections. */
  add(dataSourceId: string, detections: readonly Detection[]): Promise<Recorded>;
}

export interface GathererOptions<Recorded> {
  /** Writes one event; the order of calls is the order in the log. */
  readonly record: (dataSourceId: string, detections: readonly Detection[]) => Promise<Recorded>;
  readonly lingerMs: number;
  /** Number of detections from which on an event is written immediately. */
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
