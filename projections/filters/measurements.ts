import type { MeasurementRecorded } from "../../schemas/events.ts";
import type { FilterMeasurementActivityInput, FilterMeasurementInput } from "../../schemas/filters.ts";
import type { Fields } from "./fields.ts";
import { time } from "./kinds/number.ts";
import { id } from "./kinds/string.ts";

export const measurementActivityFields: Fields<FilterMeasurementActivityInput, MeasurementRecorded> = {
  sensorId: id({ value: ({ sensorId }) => sensorId, sql: "sensor_id", isKey: true }),
};

/** The SQL is over the columns of measurements_v1. */
export const measurementFields: Fields<FilterMeasurementInput, MeasurementRecorded> = {
  ...measurementActivityFields,
  time: time({ value: ({ timestamp }) => timestamp, sql: "timestamp", isKey: true }),
};
