// The subscription `measurementActivity`: each new measurement.
import type { MeasurementRecorded } from "../../schemas/events.ts";
import type { FilterMeasurementActivityInput } from "../../schemas/filters.ts";
import { measurementId } from "../../schemas/identity.ts";
import { matches } from "../filters/match.ts";
import { measurementActivityFields } from "../filters/measurements.ts";
import { foldRecords } from "./fold-records.ts";
import type { FeedKind, FeedMessage } from "./kind.ts";

interface MeasurementMessage extends FeedMessage {
  readonly kind: "measurementActivity";
  readonly measurement: MeasurementRecorded;
}

export const measurementActivity: FeedKind<MeasurementMessage, FilterMeasurementActivityInput> = {
  field: "measurementActivity",
  topic: "measurements",
  createFold: foldRecords({
    type: "MeasurementRecorded",
    idOf: ({ sensorId, timestamp, value }) => measurementId(sensorId, timestamp, value),
    toMessage: (measurement): MeasurementMessage => ({ kind: "measurementActivity", index: 0, measurement }),
  }),
  matches: (filter, { measurement }) => matches(measurementActivityFields, filter, measurement),
  mergeKey: () => undefined,
  rootValue: ({ measurement }) => measurement,
};
