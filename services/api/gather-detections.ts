// Detections of one data source that come with many small mutations are gathered for a moment into one event: the log
// takes a hundred detections in one message far more cheaply than a hundred messages, and so does whoever reads it.
import type { Detection } from "../../schemas/events.ts";
import type { Position } from "./position.ts";

export interface Gatherer {
  /** Resolves with the position of the event that the detections became part of; rejects as `record` does. */
  add(dataSourceId: string, detections: readonly Detection[]): Promise<Position>;
}

export interface GathererOptions {
  /** Writes one event; the order of calls is the order in the log. */
  readonly record: (dataSourceId: string, detections: readonly Detection[]) => Promise<Position>;
  readonly lingerMs: number;
  /** An event with this many is not kept waiting. */
  readonly maxDetections: number;
}

interface Gathering {
  readonly detections: Detection[];
  readonly position: PromiseWithResolvers<Position>;
}

export function createGatherer({ record, lingerMs, maxDetections }: GathererOptions): Gatherer {
  let gatherings = new Map<string, Gathering>();

  function send(dataSourceId: string, { detections, position }: Gathering): void {
    record(dataSourceId, detections).then(position.resolve, position.reject);
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
        gathering = { detections: [], position: Promise.withResolvers() };
        gatherings.set(dataSourceId, gathering);
      }
      for (const detection of detections) gathering.detections.push(detection);
      if (gathering.detections.length >= maxDetections) {
        gatherings.delete(dataSourceId);
        send(dataSourceId, gathering);
      }
      return gathering.position.promise;
    },
  };
}
