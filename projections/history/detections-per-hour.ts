// The table detections_per_hour_v1: one row per track and hour, with the instants of the track's detections.
import { HOUR_MS } from "../../schemas/units.ts";
import { createByPair } from "./rows/by-pair.ts";
import { createTable, type TableRows } from "./table.ts";

interface Hour {
  readonly dataSourceId: string;
  readonly trackId: string;
  /** Hours since 1970. */
  readonly hour: number;
  readonly seenMs: number[];
}

export const detectionsPerHourTable = createTable<Hour>("detections_per_hour_v1", {
  data_source_id: { from: (hour) => hour.dataSourceId },
  hour: { from: ({ hour }) => hour },
  track_id: { from: (hour) => hour.trackId },
  seen_ms: { from: (hour) => hour.seenMs },
});

export interface DetectionHours {
  detected(dataSourceId: string, trackId: string, timestamp: number): void;
  rows(): TableRows;
}

export function createDetectionHours(): DetectionHours {
  /** The hours of a track. They are few, and most detections are in the last one. */
  const hours = createByPair<Hour[]>(() => []);
  return {
    detected(dataSourceId, trackId, timestamp) {
      const hour = Math.floor(timestamp / HOUR_MS);
      const known = hours.of(dataSourceId, trackId);
      let found = known.at(-1);
      if (found?.hour !== hour) found = known.find((each) => each.hour === hour);
      if (found === undefined) {
        found = { dataSourceId, trackId, hour, seenMs: [] };
        known.push(found);
      }
      found.seenMs.push(timestamp - hour * HOUR_MS);
    },
    rows: () => detectionsPerHourTable.rowsOf(hours.all().flat()),
  };
}
