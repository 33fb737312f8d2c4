// The table detections_per_hour_v1: one row per track and hour, with the instants of the track's detections.
import { HOUR_MS } from "../../schemas/units.ts";
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
  const byTrack = new Map<string, Map<string, Hour[]>>();

  /** The hours of a track. They are few, and most detections are in the last one. */
  function hoursOf(dataSourceId: string, trackId: string): Hour[] {
    const tracks = byTrack.get(dataSourceId) ?? new Map<string, Hour[]>();
    byTrack.set(dataSourceId, tracks);
    const hours = tracks.get(trackId) ?? [];
    tracks.set(trackId, hours);
    return hours;
  }

  return {
    detected(dataSourceId, trackId, timestamp) {
      const hour = Math.floor(timestamp / HOUR_MS);
      const hours = hoursOf(dataSourceId, trackId);
      let found = hours.findLast((each) => each.hour === hour);
      if (found === undefined) {
        found = { dataSourceId, trackId, hour, seenMs: [] };
        hours.push(found);
      }
      found.seenMs.push(timestamp - hour * HOUR_MS);
    },
    rows: () => detectionsPerHourTable.rowsOf([...byTrack.values()].flatMap((tracks) => [...tracks.values()].flat())),
  };
}
