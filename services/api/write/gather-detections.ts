// Gathers the detections that many small mutations send for one data source within a moment into one event. One message
// with a hundred detections is far cheaper than a hundred messages, for the log and for its readers.
import type { Detection } from "../../../schemas/events.ts";
import { tracing } from "../../common/tracing/tracing.ts";

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
  /** Traces of the mutations; undefined when none of them is recorded. */
  causes: readonly string[] | undefined;
  readonly recorded: PromiseWithResolvers<Recorded>;
}

export function createGatherer<Recorded>(options: GathererOptions<Recorded>): Gatherer<Recorded> {
  const { record, lingerMs, maxDetections } = options;
  let gatherings = new Map<string, Gathering<Recorded>>();

  function send(dataSourceId: string, { detections, recorded, causes = [] }: Gathering<Recorded>): void {
    const recording = () => record(dataSourceId, detections);
    // This is called in the context of one mutation, but it works for all that were gathered.
    const recordedAll = tracing === undefined ? recording() : tracing.within(causes, recording);
    recordedAll.then(recorded.resolve, recorded.reject);
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
        gathering = { detections: [], causes: undefined, recorded: Promise.withResolvers() };
        gatherings.set(dataSourceId, gathering);
      }
      for (const detection of detections) gathering.detections.push(detection);
      const causes = tracing?.causes() ?? [];
      if (causes.length > 0) gathering.causes = [...(gathering.causes ?? []), ...causes];
      if (gathering.detections.length >= maxDetections) {
        gatherings.delete(dataSourceId);
        send(dataSourceId, gathering);
      }
      return gathering.recorded.promise;
    },
  };
}
