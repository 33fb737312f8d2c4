// Measurements: one row per measurement, from the first record of it in the log.
import type { FilterMeasurementActivityInput, MeasurementFilter, MeasurementsSort } from "../../../schemas/filters.ts";
import { measurementId } from "../../../schemas/identity.ts";
import type { MeasurementRecorded } from "../../../schemas/records/measurement-recorded.ts";
import type { Fields } from "../../filters/fields.ts";
import { timeField } from "../../filters/kinds/number.ts";
import { idField } from "../../filters/kinds/string.ts";
import { textColumn, timeColumn } from "../table.ts";
import { defineRecordHistory, type RecordFeed } from "./define-record-history.ts";
import { recordedColumns, rowPerRecord } from "./row-per-record.ts";

const idOf = ({ sensorId, timestamp, value }: MeasurementRecorded): string => measurementId(sensorId, timestamp, value);

export const measurementActivityFields: Fields<FilterMeasurementActivityInput, MeasurementRecorded> = {
  sensorId: idField({ value: ({ sensorId }) => sensorId, sql: "sensor_id", isKey: true }),
};

export const measurementFields: Fields<MeasurementFilter, MeasurementRecorded> = {
  ...measurementActivityFields,
  time: timeField({ value: ({ timestamp }) => timestamp, sql: "timestamp", isKey: true }),
};

/** The subscription sends each new measurement. */
const feed: RecordFeed<MeasurementRecorded, MeasurementRecorded, FilterMeasurementActivityInput> = {
  field: "measurementActivity",
  filter: measurementActivityFields,
  idOf,
  show: (event) => event,
};

export const measurementHistory = defineRecordHistory<
  "measurements",
  MeasurementRecorded,
  MeasurementFilter,
  MeasurementsSort["field"]
>({
  ...rowPerRecord({
    topic: "measurements",
    name: "measurements_v1",
    columns: {
      sensor_id: { from: ({ event }) => event.sensorId, read: textColumn },
      timestamp: { from: ({ event }) => event.timestamp, read: timeColumn },
      measurement_id: { from: ({ event }) => idOf(event) },
      value: { from: ({ event }) => event.value, read: textColumn },
      ...recordedColumns,
    },
    toRecord: ({ sensor_id: sensorId, timestamp, value }): MeasurementRecorded => ({ sensorId, timestamp, value }),
    isByMonth: true,
  }),
  filter: measurementFields,
  sorts: {
    ID: { sql: "measurement_id", type: "String", of: idOf },
    TIMESTAMP: { sql: "timestamp", type: "time", of: ({ timestamp }) => timestamp },
  },
  identity: ["ID"],
  feed,
});
