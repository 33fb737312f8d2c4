// measurements_v1: one row per measurement, from the first record of it in the log.
import type { MeasurementRecorded } from "../../schemas/events.ts";
import { measurementId } from "../../schemas/identity.ts";
import { type HistoryKind, rowPerEvent } from "./kind.ts";
import { columnsFrom, createReader, createTable, type Recorded, text, time, type WireRow } from "./table.ts";

interface RecordedMeasurement extends MeasurementRecorded {
  readonly recorded: Recorded;
}

const columns = columnsFrom<RecordedMeasurement>()({
  sensor_id: { from: ({ sensorId }) => sensorId, read: text },
  timestamp: { from: ({ timestamp }) => timestamp, read: time },
  measurement_id: { from: ({ sensorId, timestamp, value }) => measurementId(sensorId, timestamp, value) },
  value: { from: ({ value }) => value, read: text },
  recorded_at: { from: ({ recorded }) => recorded.recordedAt },
  partition: { from: ({ recorded }) => recorded.partition },
  offset: { from: ({ recorded }) => recorded.offset },
});

export const measurementsTable = createTable("measurements_v1", columns);

export const measurements: HistoryKind<"measurements"> = {
  topic: "measurements",
  rankedBy: "measurements",
  tables: [measurementsTable],
  byMonth: [measurementsTable],
  createRows: () => rowPerEvent(measurementsTable, ({ event }, recorded) => ({ ...event, recorded })),
};

const reader = createReader(columns);

export const measurementSelect = reader.select;

export function measurementRecord(wire: WireRow): MeasurementRecorded {
  const { sensor_id: sensorId, timestamp, value } = reader.read(wire);
  return { sensorId, timestamp, value };
}
